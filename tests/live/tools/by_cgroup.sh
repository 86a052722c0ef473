# SPDX-License-Identifier: GPL-2.0
# timeout: 240
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

# Some engines can't tell 32-bit tasks' calls from others'.
untold="which calls are of 32-bit tasks|can't tell BPF of 32-bit tasks"
# sums FILE COLUMN: group and sum over all tables, without zeros.
sums() {
	fields "$1" cgroup "$2" | awk -F '\t' -v OFS='\t' '{ n[$1] += $2 } END { for (g in n) if (n[g]) print g, n[g] }' |
		sed 's|^/.*/\([^/]*	\)|/\1|' | sort
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
			same calls-$b "$TMP/wanted" "$TMP/got"
			contains calls-unit-$b "$TMP/t.out" "^ +1000 +[0-9.]+ sonde-by-$$\\.service\$"
			contains calls-box-$b "$TMP/t.out" '^ +750 +[0-9.]+ 0123456789ab$'
		fi
	else
		go w x y
	fi

	# Pages, by tasks that stay: cat waits before and behind the file.
	for i in w x; do
		mkfifo "$TMP/$i.before-$b" "$TMP/$i.behind-$b" "$TMP/$i.through-$b"
		"$WORK" dirty "$FOLDER/$i" $N >/dev/null
		"$WORK" drop "$FOLDER/$i"
		# Another task writes the copy, whose pages come into the cache too.
		cat "$TMP/$i.through-$b" >"$TMP/$i.copy" &
		cat "$TMP/$i.before-$b" "$FOLDER/$i" "$TMP/$i.behind-$b" >"$TMP/$i.through-$b" &
		eval "$i=$!"
	done
	echo $w >"$unit/in/cgroup.procs"
	echo $x >"$box/cgroup.procs"
	reasons=$(absences $b)
	for run in "s cachefill" "f filetop" "c syscount --syscall read" "l schedlat"; do
		set -- $run
		name=$1
		shift
		start_or_skip $1-stay-$b "$untold${reasons:+|$reasons}" $name "$@" --backend $b --buffer-pages 1024 --json --by-cgroup -p "$w,$x" $(
			[ $1 = syscount ] || echo 3600) && eval "$name=1" || eval "$name="
	done
	[ -z "$s" ] || start p cachefill --backend $b --buffer-pages 1024 --json --by-cgroup -p $w 3600
	: >"$TMP/w.before-$b"
	: >"$TMP/x.before-$b"
	wait_for 20 cmp -s "$FOLDER/w" "$TMP/w.copy"
	wait_for 20 cmp -s "$FOLDER/x" "$TMP/x.copy"
	if [ "$s" ]; then
		stop s
		stop p
		wanted $N $N
		sums "$TMP/s.out" pages >"$TMP/got"
		lossless pages-lost-$b $b "$TMP/s.out" && same pages-$b "$TMP/wanted" "$TMP/got"
		equal pages-one-$b "/sonde-by-$$.service	$N" "$(sums "$TMP/p.out" pages)"
	fi
	if [ "$f" ]; then
		stop f
		size=$(wc -c <"$FOLDER/w")
		wanted $size $size
		sums "$TMP/f.out" read_bytes >"$TMP/got"
		lossless files-lost-$b $b "$TMP/f.out" && same files-$b "$TMP/wanted" "$TMP/got"
	fi
	for name in c l; do
		eval "[ \"\$$name\" ]" || continue
		stop $name
		# Both did the same; a task may be taken its CPU at any time.
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
