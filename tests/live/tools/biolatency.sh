# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# biolatency: each request to a disk of our own is counted once, on every engine, in the right histogram.
. "${0%/*}/../lib.sh"

disk requests || exit 0
name=${DISK#/dev/}

# counted_flags OPERATION: whatever else the flags say of them.
counted_flags() {
	fields "$TMP/f.out" flags | grep "$1\$" | while read -r flags; do
		counted "$TMP/f.out" flags "$flags"
	done | awk '{ n += $1 } END { print n + 0 }'
}

# untimed ID: it counted so many without a time.
untimed() {
	n=$(reported "$TMP/$1.out" untimed)
	echo "${n:-0}"
}
# missed ID: of so many events it says that the kernel did not let its programs see them. An interrupt that ends a request
# while a program runs on that CPU is one: the kernel runs no BPF program within another.
missed() {
	missed=$(reported "$TMP/$1.out" missed)
	case $missed in [1-9]*) ;; *) missed=0 ;; esac
	echo "$missed"
}
# each_once NAME ENGINE ID N: so many were counted, but for those of which a half was missed.
each_once() {
	lossless $1-lost-$2 $2 "$TMP/$3.out" || return
	got=$(counted "$TMP/$3.out") missed=$(missed $3)
	bpf_left_out $1-$2 $2 $(($4 - missed)) "$got" || between $1-$2 $(($4 - missed)) "$got" "$4"
}
# out_of_order ENGINE N: how many of so many may seem to end before they began: the clocks of CPUs differ where none is
# the same for all.
out_of_order() {
	case $1 in
	perf) has perf-clockid ;;
	ftrace) has trace-clock-mono ;;
	esac && echo 0 || echo $(($2 / 1000))
}
# flooded NAME ENGINE ID N: all of them were counted, with a time or without.
flooded() {
	lossless $1-lost-$2-$3 $2 "$TMP/$3.out" || return
	untimed=$(untimed $3) missed=$(missed $3)
	all=$(($(counted "$TMP/$3.out") + untimed))
	echo "# $2, $3: $all of $4, $untimed of them without a time, $missed missed"
	# Either half of one may be what was missed.
	bpf_left_out $1-$2-$3 $2 $(($4 - missed)) $all ||
		between $1-$2-$3 $(($4 - missed - $(out_of_order $2 $4))) $all $(($4 + missed))
}

# nothing_missed ID: it has seen both halves of every request.
nothing_missed() { [ "$(reported "$TMP/$1.out" missed)$(reported "$TMP/$1.out" lost)" = 00 ]; }

for b in $ENGINES; do
	# One page a request, the first to sector 0. Others' disks are counted in histograms of their own.
	load w "$WORK" block write "$DISK" 60
	load r "$WORK" block read "$DISK" 40
	start_or_skip requests-$b "$(absences $b)" s biolatency --backend $b --json -D || { go w r; continue; }
	start d biolatency --backend $b --json -d "/dev/$name" -e -m
	start f biolatency --backend $b --json -d "$name" -F
	start q biolatency --backend $b --json -d "$name" -Q
	go w r
	stop s && equal ends-$b 0 "$STATUS"
	stop d
	stop f
	stop q
	for id in s d f q; do
		lossless lost-$b $b "$TMP/$id.out" || continue 2
	done
	equal requests-$b 100 "$(counted "$TMP/s.out" disk "$name")"
	equal one-disk-$b 100 "$(counted "$TMP/d.out")"
	equal queued-$b 100 "$(counted "$TMP/q.out")"
	equal writes-$b 60 "$(counted_flags Write)"
	equal reads-$b 40 "$(counted_flags Read)"
	# What takes as long from its queue as from its issue takes at least as long; and no longer than the calls took
	# that waited for it. (A slot's values are up to an eighth above its lowest.) Two sondes tell the times of one event
	# one after the other, and an emulated CPU may pause between them.
	sum() { slots "$1" | awk '{ n += $3 * $1 } END { print n + 0 }'; }
	shortest=$(($(sum "$TMP/f.out") / 2))
	expect queued-is-longer-$b [ "$(sum "$TMP/q.out")" -ge $shortest ]
	took=$(cat "$TMP/w.said" "$TMP/r.said" | awk -F '\t' '{ n += $6 } END { print n }')
	between usecs-$b $((took / 20)) "$(sum "$TMP/q.out")" "$took"
	between msecs-$b 0 "$(sum "$TMP/d.out")" $((took / 1000))
	contains totals-$b "$TMP/d.out" '"count":100[,}]'

	# Percentiles are those of the requests that biosnoop shows, as far as two sondes tell the same times: less than a
	# slot's eighth apart, and what passes between their two looks at a clock.
	load r "$WORK" block read "$DISK" 200
	if start_or_skip percentiles-$b "$(absences $b)" p biosnoop --backend $b --json -d "$name"; then
		start s biolatency --backend $b --json -d "$name" --percentiles
		go r
		stop s
		stop p
		fields "$TMP/p.out" lat_ms | sort -n | awk '{ us[NR] = $1 * 1000 }
			END { printf "%d %d %d\n", us[100], us[180], us[198] }' >"$TMP/wanted"
		read -r p50 p90 p99 <"$TMP/wanted"
		percentile() { fields "$TMP/s.out" percentiles | tr -d '{}"' | tr , '\n' | sed -n "s/^$1://p"; }
		if nothing_missed s && nothing_missed p && [ "$(counted "$TMP/s.out")" = 200 ]; then
			between p50-$b $((p50 * 3 / 4 - 30)) "$(percentile p50)" $((p50 * 3 / 2 + 30))
			between p90-$b $((p90 * 3 / 4 - 30)) "$(percentile p90)" $((p90 * 3 / 2 + 30))
			between p99-$b $((p99 / 2 - 30)) "$(percentile p99)" $((p99 * 2 + 200))
		else
			skip percentiles-$b "some events of the two were lost or missed"
		fi
	else
		go r
	fi

	# Larger requests are cut by the kernel, and done in parts: still one count for each that was issued.
	load w "$WORK" block write "$DISK" 8 4194304
	instance=$TRACEFS/instances/biolatency-test-$$
	mkdir "$instance"
	# dev of the trace is MAJOR,MINOR
	numbers=$(cat "/sys/class/block/$name/dev" | tr : ,)
	echo 1 >"$instance/events/block/block_rq_issue/enable"
	start s biolatency --backend $b --json -d "$name"
	go w
	stop s
	grep -c "block_rq_issue: $numbers W" "$instance/trace" >"$TMP/issued"
	rmdir "$instance"
	each_once large $b s "$(cat "$TMP/issued")"

	# Flushes are requests too; each is counted once, and the write to sector 0 before them is not mixed up. Before
	# 3.19 the kernel does not say that one is done; where a vendor mended that, it does.
	load w "$WORK" block flush "$DISK" 5
	mkdir "$instance"
	echo 1 >"$instance/events/block/block_rq_complete/enable"
	start f biolatency --backend $b --json -d "$name" -F
	go w
	stop f
	told=$(grep -c "block_rq_complete: $numbers F[WF]* .* 18446744073709551615 + 0 " "$instance/trace")
	rmdir "$instance"
	older 3.19 || told=5
	lossless flushes-lost-$b $b "$TMP/f.out" && equal flushes-$b "$told" "$(counted_flags Flush)"

	# Read and clear: intervals add up, whatever happens while sonde prints.
	load w "$WORK" block read "$DISK" 3000
	start s biolatency --backend $b --json -d "$name" 1
	go w
	stop s
	each_once intervals $b s 3000

	# Many at one sector at the same time: nobody can tell which ended when, but each is counted.
	load w "$WORK" ioflood "$DISK" 0 1 1000 8
	start s biolatency --backend $b --json -d "$name"
	start q biolatency --backend $b --json -d "$name" -Q
	go w
	stop s
	stop q
	for id in s q; do
		flooded same-sector $b $id 8000
	done

	# Some at one sector at the same time, others alone: another engine finds as many that can't be told apart, but for
	# requests that begin in the same moment on two CPUs.
	for id in u v w; do
		load $id "$WORK" ioflood "$DISK" 0 16 2000 4
	done
	start s biolatency --backend $b --json -d "$name"
	start q biolatency --backend $b --json -d "$name" -Q
	[ $b != bpf ] || start p biolatency --backend perf --buffer-pages 1024 --json -d "$name"
	go u v w
	stop s
	stop q
	for id in s q; do
		flooded sectors $b $id 24000 && expect alone-$b-$id [ "$(counted "$TMP/$id.out")" -gt 0 ]
	done
	if [ $b = bpf ]; then
		stop p
		if nothing_missed s && nothing_missed p; then
			wanted=$(untimed p)
			between untimed-$b $((wanted * 4 / 5 - 50)) "$(untimed s)" $((wanted * 6 / 5 + 50))
		else
			skip untimed-$b "some events of the two were lost or missed"
		fi
	fi

	# As text: bcc's layout.
	load w "$WORK" block write "$DISK" 10
	start s biolatency --backend $b -T -d "$name"
	go w
	stop s
	sed -n 1p "$TMP/s.out" >"$TMP/head"
	contains text-$b "$TMP/head" '^Tracing block device I/O\.\.\. Hit Ctrl-C to end\.$'
	contains text-head-$b "$TMP/s.out" '^     usecs               : count     distribution$'
	if grep -q '^sonde: seen [0-9]*, lost 0, missed\(: \| 0$\)' "$TMP/s.err"; then
		equal text-count-$b 10 "$(sed -n 's/^ *[0-9]* -> [0-9]* *: \([0-9]*\) *|[* ]*|$/\1/p' "$TMP/s.out" |
			awk '{ n += $1 } END { print n }')"
	fi
	contains text-time-$b "$TMP/s.out" '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'
done

clean left
quiet kernel-log
