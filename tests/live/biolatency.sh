# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# biolatency: each request to a disk of our own is counted once, on every engine, in the right histogram.
. "${0%/*}/lib.sh"

disk requests || exit 0
name=${DISK#/dev/}

# counted_flags OPERATION: whatever else the flags say of them.
counted_flags() {
	fields "$TMP/f.out" flags | grep "$1\$" | while read -r flags; do
		counted "$TMP/f.out" flags "$flags"
	done | awk '{ n += $1 } END { print n + 0 }'
}

for b in $ENGINES; do
	# One page a request, the first to sector 0. Others' disks are counted in histograms of their own.
	load w "$WORK" block write "$DISK" 60
	load r "$WORK" block read "$DISK" 40
	start_or_skip requests-$b "$(absences $b)" s biolatency --backend $b --json -D || { go w r; continue; }
	start d biolatency --backend $b --json -d "$name" -e -m
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
	if lossless large-lost-$b $b "$TMP/s.out"; then
		got=$(counted "$TMP/s.out")
		bpf_left_out large-$b $b "$(cat "$TMP/issued")" "$got" ||
			equal large-$b "$(cat "$TMP/issued")" "$got"
	fi

	# Flushes are requests too; each is counted once, and the write to sector 0 before them is not mixed up.
	load w "$WORK" block flush "$DISK" 5
	start f biolatency --backend $b --json -d "$name" -F
	go w
	stop f
	lossless flushes-lost-$b $b "$TMP/f.out" && equal flushes-$b 5 "$(counted_flags Flush)"

	# Read and clear: intervals add up, whatever happens while sonde prints.
	load w "$WORK" block read "$DISK" 3000
	start s biolatency --backend $b --json -d "$name" 1
	go w
	stop s
	if lossless intervals-lost-$b $b "$TMP/s.out"; then
		got=$(counted "$TMP/s.out")
		bpf_left_out intervals-$b $b 3000 "$got" || equal intervals-$b 3000 "$got"
	fi

	# Many at one sector at the same time: nobody can tell which ended when, but each is counted.
	load w "$WORK" ioflood "$DISK" 0 1 1000 8
	start s biolatency --backend $b --json -d "$name"
	start q biolatency --backend $b --json -d "$name" -Q
	go w
	stop s
	stop q
	for id in s q; do
		lossless same-sector-lost-$b $b "$TMP/$id.out" || continue
		untimed=$(reported "$TMP/$id.out" untimed) missed=$(reported "$TMP/$id.out" missed)
		case $untimed in [1-9]*) ;; *) untimed=0 ;; esac
		case $missed in [1-9]*) ;; *) missed=0 ;; esac
		all=$(($(counted "$TMP/$id.out") + untimed))
		echo "# $b, $id: $all of 8000 at one sector, $untimed of them without a time, $missed missed"
		# Either half of one may be what was missed.
		bpf_left_out same-sector-$b-$id $b $((8000 - missed)) $all ||
			between same-sector-$b-$id $((8000 - missed)) $all $((8000 + missed))
	done

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
