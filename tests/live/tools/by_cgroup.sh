# SPDX-License-Identifier: GPL-2.0
# timeout: 400
#
# --by-cgroup: what two groups of this test do is in their rows, and no more: exactly where the kernel tells groups (bpf), and
# of tasks that stay where /proc does; all rows together are all that was done. Groups within units and containers; usage.
. "${0%/*}/../lib.sh"

for tool in 'schedlat -P' 'schedlat --timehist' 'filetop --by-dir' 'tcptop --subnet ::1' 'syscount -P'; do
	"$SONDE" $tool --by-cgroup >"$TMP/usage" 2>&1
	equal "usage-$(echo "$tool" | tr -dc a-z)" 2 $?
done

tree=$(cgroup2)
digits=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
unit=$tree/sonde-by-$$.service box=$tree/docker-$digits.scope
if [ -z "$tree" ] || ! mkdir "$unit" "$unit/in" "$box" "$box/in" 2>/dev/null; then
	skip by-cgroup "no control group of version 2 can be made here"
	clean left
	exit
fi
folder pages || exit 0
N=$((4000 / $(page_kb)))
disk=${DISK#/dev/}

# Some engines can't tell 32-bit tasks' calls from others'.
untold="which calls are of 32-bit tasks|can't tell BPF of 32-bit tasks"
# sums FILE COLUMN: group and sum over all tables, without zeros.
sums() {
	fields "$1" cgroup "$2" | awk -F '\t' -v OFS='\t' '{ n[$1] += $2 } END { for (g in n) if (n[g]) print g, n[g] }' |
		sed 's|^/.*/\([^/]*	\)|/\1|' | sort
}
# whole NAME ID: the kernel ran the program for each event; 1 if it skipped some, as sonde says: since 7.0 a task may lose its
# CPU to another one while the program runs.
whole() {
	missed=$(sed -n 's/^sonde: seen .*, missed \([1-9][0-9]*\)$/\1/p' "$TMP/$2.err")
	[ -z "$missed" ] || skip "$1" "the kernel skipped a program $missed times, and sonde says so"
	[ -z "$missed" ]
}
# wanted UNIT BOX: the rows of both.
wanted() { printf '/docker-%s.scope\t%s\n/sonde-by-%s.service\t%s\n' $digits $2 $$ $1 | sort >"$TMP/wanted"; }

for b in $ENGINES; do
	# Calls, by tasks that are gone at the end: only the kernel could tell.
	load w "$WORK" calls 1000
	load x "$WORK" calls 700
	load y "$WORK" calls 50
	into "$unit" w
	into "$box" x
	into "$box/in" y
	if start_or_skip calls-$b "$(absences $b)" s syscount --backend $b --buffer-pages 1024 --json --by-cgroup -e EINVAL -p "$(pid w),$(pid x),$(pid y)"; then
		start t syscount --backend $b --buffer-pages 1024 --by-cgroup -L -e EINVAL -p "$(pid w),$(pid x),$(pid y)"
		go w x y
		stop s
		stop t
		sums "$TMP/s.out" count >"$TMP/got"
		if grep -q 'groups are known of tasks' "$TMP/s.err"; then
			equal calls-gone-$b "-	1750" "$(cat "$TMP/got")"
		else
			wanted 1000 750
			whole calls-$b s && same calls-$b "$TMP/wanted" "$TMP/got"
			whole calls-text-$b t && contains calls-unit-$b "$TMP/t.out" "^ +1000 +[0-9.]+ sonde-by-$$\\.service\$" &&
				contains calls-box-$b "$TMP/t.out" '^ +750 +[0-9.]+ docker:0123456789ab$'
		fi
	else
		go w x y
	fi

	# Requests to a disk, the same: whose one is is known when it begins; at its end another task runs.
	load w "$WORK" block read "$DISK" 40 65536
	load x "$WORK" block read "$DISK" 25 16384
	into "$unit/in" w
	into "$box" x
	if start_or_skip disk-$b "$(absences $b)" s biotop --backend $b --json --by-cgroup -d "$disk" -p "$(pid w),$(pid x)" 1000; then
		start t biotop --backend $b -C --by-cgroup -d "$disk" 1000
		go w x
		stop s
		stop t
		sums "$TMP/s.out" read_kb >"$TMP/got"
		if grep -q 'groups are known of tasks' "$TMP/s.err"; then
			printf -- '-\t2960\n' >"$TMP/wanted"
		else
			wanted 2560 400
			contains disk-unit-$b "$TMP/t.out" "^ +[0-9]+ +[0-9]+ +2560 +[0-9]+ +[0-9.]+ sonde-by-$$\\.service\$"
		fi
		lossless disk-lost-$b $b "$TMP/s.out" && same disk-$b "$TMP/wanted" "$TMP/got"
		contains disk-head-$b "$TMP/t.out" '^  I/O  Kbytes    R_Kb    W_Kb  AVGms CGROUP$'
	else
		go w x
	fi

	# Samples, as a table and with their stacks.
	load w "$WORK" chain 1500
	load x "$WORK" chain 500
	into "$unit" w
	into "$box/in" x
	of="$(pid w),$(pid x)"
	if start_or_skip samples-$b 'takes no samples|no BPF programs on samples|do not tell tasks' s profile --backend $b -F 199 --json --by-cgroup -p $of; then
		start f profile --backend $b -F 199 -f -U --by-cgroup -p $of --flame="$TMP/$b.svg"
		start j profile --backend $b -F 199 -f --json --by-cgroup -p $of
		printf '%s\t/docker-%s.scope\n%s\t/sonde-by-%s.service\n' "$(pid x)" $digits "$(pid w)" $$ | sort >"$TMP/wanted"
		go w x
		for name in s f j; do
			stop $name
		done
		all() { awk -v group="$1" '!group || index($0, group ";work") == 1 { n += $NF } END { print n + 0 }' "$TMP/f.out"; }
		sums "$TMP/s.out" samples >"$TMP/got"
		if grep -q 'groups are known of tasks' "$TMP/s.err"; then
			many=$((2000 * 199 / 1000))
			between samples-gone-$b $((many * 3 / (4 * SLOW))) "$(awk '$1 == "-" { print $2 }' "$TMP/got")" $((many * 5 / 4 + 10))
			equal stacks-gone-$b "$(all)" "$(all -)"
		else
			for run in "1500 sonde-by-$$.service" "500 docker-$digits.scope"; do
				many=$((${run% *} * 199 / 1000))
				name=${run#* }
				between samples-${name%%-*}-$b $((many * 3 / (4 * SLOW))) "$(awk -v group="/$name" '$1 == group { print $2 }' "$TMP/got")" $((many * 5 * SLOW / 4 + 30))
				[ "$name" = "sonde-by-$$.service" ] || name=docker:0123456789ab
				between stacks-${name%%-*}-$b $((many * 3 / (4 * SLOW))) "$(all "$name")" $((many * 5 * SLOW / 4 + 30))
			done
			fields "$TMP/j.out" pid cgroup | sort -u | sed 's|	/.*/|	/|' >"$TMP/got"
			same stacks-$b "$TMP/wanted" "$TMP/got"
			contains picture-$b "$TMP/$b.svg" '<title>docker:0123456789ab \('
			equal stacks-all-$b "$(all)" $(($(all "sonde-by-$$.service") + $(all docker:0123456789ab)))
		fi
		equal share-$b 100 "$(fields "$TMP/s.out" share_percent | awk '{ n += $1 } END { printf "%.0f", n }')"

		# Of tasks that stay.
		load w "$WORK" chain 60000
		load x "$WORK" chain 60000
		into "$unit" w
		into "$box/in" x
		start s profile --backend $b -F 199 --by-cgroup -p "$(pid w),$(pid x)"
		: >"$TMP/w.go"
		: >"$TMP/x.go"
		sleep 1
		stop s
		kill "$(pid w)" "$(pid x)"
		wait "$(pid w)" "$(pid x)" 2>/dev/null
		forget w
		forget x
		sed -n 's/^ *[1-9][0-9]* *[0-9.]*% //p' "$TMP/s.out" | sort >"$TMP/got"
		printf 'docker:0123456789ab\nsonde-by-%s.service\n' $$ >"$TMP/wanted"
		same stay-$b "$TMP/wanted" "$TMP/got"
		contains samples-head-$b "$TMP/s.out" '^ SAMPLES   SHARE CGROUP$'
	else
		go w x
	fi

	# Pages, by tasks that stay: cat waits before and behind the file.
	for i in w x; do
		mkfifo "$TMP/$i.before-$b" "$TMP/$i.behind-$b" "$TMP/$i.through-$b"
		# It ends within a page: at the end of a file of whole pages older kernels (5.10) fill one more.
		"$WORK" dirty "$FOLDER/$i" $N >/dev/null
		printf x >>"$FOLDER/$i"
		"$WORK" drop "$FOLDER/$i"
		# Another task writes the copy, whose pages come into the cache too.
		cat "$TMP/$i.through-$b" >"$TMP/$i.copy" &
		cat "$TMP/$i.before-$b" "$FOLDER/$i" "$TMP/$i.behind-$b" >"$TMP/$i.through-$b" &
		eval "$i=$!"
	done
	echo $w >"$unit/in/cgroup.procs"
	echo $x >"$box/cgroup.procs"
	reasons=$(absences $b)
	# Of a task that may have waited for a disk when the interval began, /proc tells more if it was there a second before.
	sleep 1.1
	for run in "s cachefill" "f filetop" "c syscount --syscall read" "l schedlat" "d biotop -d $disk"; do
		set -- $run
		name=$1
		shift
		start_or_skip $1-stay-$b "$untold${reasons:+|$reasons}" $name "$@" --backend $b --buffer-pages 1024 --json --by-cgroup -p "$w,$x" $(
			[ $1 = syscount ] || echo 3600) && eval "$name=1" || eval "$name="
	done
	[ -z "$d" ] || start q biotop --backend $b --buffer-pages 1024 --json -d "$disk" -p "$w,$x" 3600
	[ -z "$s" ] || start p cachefill --backend $b --buffer-pages 1024 --json --by-cgroup -p $w 3600
	: >"$TMP/w.before-$b"
	: >"$TMP/x.before-$b"
	wait_for 20 cmp -s "$FOLDER/w" "$TMP/w.copy"
	wait_for 20 cmp -s "$FOLDER/x" "$TMP/x.copy"
	if [ "$s" ]; then
		stop s
		stop p
		wanted $((N + 1)) $((N + 1))
		sums "$TMP/s.out" pages >"$TMP/got"
		lossless pages-lost-$b $b "$TMP/s.out" && whole pages-$b s && same pages-$b "$TMP/wanted" "$TMP/got"
		whole pages-one-$b p && equal pages-one-$b "/sonde-by-$$.service	$((N + 1))" "$(sums "$TMP/p.out" pages)"
	fi
	if [ "$f" ]; then
		stop f
		size=$(wc -c <"$FOLDER/w")
		wanted $size $size
		sums "$TMP/f.out" read_bytes >"$TMP/got"
		lossless files-lost-$b $b "$TMP/f.out" && whole files-$b f && same files-$b "$TMP/wanted" "$TMP/got"
	fi
	if [ "$d" ]; then
		stop d
		stop q
		read_by() { fields "$TMP/q.out" pid type kbytes | awk -F '\t' -v pid=$1 '$1 == pid && $2 == "R" { n += $3 } END { print n + 0 }'; }
		wanted "$(read_by $w)" "$(read_by $x)"
		sums "$TMP/d.out" read_kb >"$TMP/got"
		lossless requests-lost-$b $b "$TMP/d.out" && whole requests-$b d && same requests-$b "$TMP/wanted" "$TMP/got"
		whole requests-all-$b q && expect requests-all-$b [ "$(read_by $w)" -ge 4000 ]
	fi
	for name in c l; do
		eval "[ \"\$$name\" ]" || continue
		stop $name
		# Both did the same; a task may be taken its CPU at any time.
		whole both-$name-$b $name || continue
		sums "$TMP/$name.out" $([ $name = c ] && echo count || echo voluntary) >"$TMP/got"
		equal both-$name-$b "/docker-$digits.scope /sonde-by-$$.service" "$(cut -f 1 "$TMP/got" | paste -s -d ' ')"
		[ $name = l ] || equal equal-$name-$b 1 "$(cut -f 2 "$TMP/got" | sort -u | wc -l)"
	done
	: >"$TMP/w.behind-$b"
	: >"$TMP/x.behind-$b"
	wait $w $x

	# Bytes of connections: all rows together are what was moved.
	load client "$WORK" sessions 5 7411 4 100000 5000 client
	load server "$WORK" sessions 5 7412 4 3000 300000 server
	into "$unit" client
	into "$box/in" server
	start_or_skip bytes-$b "$(absences $b)|since 6\\.3" s tcptop --backend $b --json --by-cgroup -p "$(pid client),$(pid server)" 1000 || {
		go client server
		continue
	}
	start t tcptop --backend $b --json -p "$(pid client),$(pid server)" 1000
	go client server
	stop s
	stop t
	for c in rx_bytes tx_bytes; do
		moved() { fields "$TMP/t.out" pid $c | awk -F '\t' -v pid="$1" '!pid || $1 == pid { n += $2 } END { print n + 0 }'; }
		sums "$TMP/s.out" $c >"$TMP/got"
		if grep -q 'groups are known of tasks' "$TMP/s.err"; then
			printf -- '-\t%s\n' "$(moved)" >"$TMP/wanted"
		else
			wanted "$(moved "$(pid client)")" "$(moved "$(pid server)")"
		fi
		lossless $c-lost-$b $b "$TMP/s.out" && same $c-$b "$TMP/wanted" "$TMP/got"
	done
done
rm -f "$FOLDER/w" "$FOLDER/x"
rmdir "$unit/in" "$unit" "$box/in" "$box"
clean left
quiet kernel-log
