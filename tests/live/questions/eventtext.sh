# SPDX-License-Identifier: GPL-2.0
# timeout: 400
#
# trace without a format: what it says of each event is what the kernel itself says (the file trace of an instance), for
# all events that one process makes; where sonde shows fields instead, it says why.
. "${0%/*}/../lib.sh"

own=$TRACEFS/instances/eventtext-$$
cleanup_hook() {
	[ ! -d "$own" ] || { echo 0 >"$own/events/enable"; rmdir "$own"; }
}
mkdir "$own" 2>/dev/null || { skip instance "no tracefs instances here"; exit 0; }
{ echo 0 >"$own/options/fields"; echo 1 >"$own/options/markers"; } 2>/dev/null
echo 8192 >"$own/buffer_size_kb"

# Where a text is computed from what a pointer leads to, or from all of the kernel's, it can't be the same.
systems="sched signal task irq timer kmem raw_syscalls filemap ext4 writeback block sock net skb power cgroup workqueue
	notifier oom rpm vmscan compaction migrate page_pool iomap jbd2 tlb fib tcp udp qdisc csd capability maple_tree mmap vmalloc"

# One process that does a little of everything; children are other processes.
work() {
	"$SONDE" version >/dev/null
	mkfifo "$TMP/go" 2>/dev/null
	sh -c 'echo -300 2>/dev/null >/proc/self/oom_score_adj; read go <"$1/go"; i=0
		while [ $i -lt 20 ]; do echo $i >"$1/file$i"; read x <"$1/file$i"; i=$((i + 1)); done
		kill -0 $$; ulimit -n >/dev/null; cd "$1"; exec "$2" opens 3 "$1/dir"' sh "$TMP" "$WORK" >/dev/null &
	worker=$!
	running="$running $worker"
}
# As sonde shows it: blanks escaped, no sizes of functions behind offsets in them. The kernel hides pointers from its own
# text, and sonde shows them; where 6.1.176 is told not to (hash-ptr), it leaves out texts.
plain() {
	# Before 4.15 the kernel pads the word (null).
	sed -E 's/(\+0x[0-9a-f]+)\/0x[0-9a-f]+/\1/g; s/ {10}\(null\)/0000000000000000/g; s/[0-9a-f]{16}/P/g'
}

mkdir "$TMP/dir"
compared=0
for system in $systems; do
	[ -d "$TRACEFS/events/$system" ] || continue
	names=
	for b in $ENGINES; do
		# Records are the same on both; perf takes a second for each ten events.
		case $b,$system in
		perf,sched | perf,kmem | perf,raw_syscalls | perf,signal | ftrace,*) names="$names $b" ;;
		esac
	done
	for b in $names; do
		rm -f "$TMP/go"
		work
		if ! start s trace --backend $b --json --buffer-pages 512 -p $worker "t:$system:*"; then
			kill $worker
			wait $worker 2>/dev/null
			absent text-$system-$b $b "$TMP/s.err" || fail text-$system-$b "$(head -n 1 "$TMP/s.err")"
			continue
		fi
		echo $worker >"$own/set_event_pid" 2>/dev/null
		echo >"$own/trace"
		echo 1 >"$own/events/$system/enable"
		echo go >"$TMP/go"
		wait $worker
		forget_worker=$(echo " $running " | sed "s/ $worker / /")
		running=$forget_worker
		echo 0 >"$own/events/$system/enable"
		stop s
		# "COMM-PID [CPU] FLAGS TIME: EVENT: TEXT"
		sed -nE "s/^.{0,30}-$worker +(\([ 0-9-]+\) +)?\[[0-9]+\] [^ ]+ +[0-9.]+: ([a-z0-9_A-Z]+): ?(.*)$/\2\t\3/p" "$own/trace" | plain \
			>"$TMP/kernel"
		fields "$TMP/s.out" func message | sed 's/\\x20/ /g' | plain >"$TMP/sonde"
		sed -n "s/^sonde: trace: fields of $system:\([^ ]*\) are shown.*/\1/p" "$TMP/s.err" >"$TMP/shown"
		# Each line of the kernel's is one of sonde's, which may have seen more.
		awk -F '\t' '
			FILENAME ~ /shown$/ { shown[$1] = 1; next }
			FILENAME ~ /sonde$/ { have[$0]++; next }
			$1 in shown { n_shown++; next }
			{ n++; kinds[$1] = 1 }
			have[$0]-- <= 0 { if (wrong++ < 5) print "kernel: " $0 }
			END {
				for (k in kinds) n_kinds++
				print n + 0, n_kinds + 0, n_shown + 0, wrong + 0
			}' "$TMP/shown" "$TMP/sonde" "$TMP/kernel" >"$TMP/result"
		set -- $(tail -n 1 "$TMP/result")
		if [ "$4" != 0 ] && [ "$(reported "$TMP/s.out" lost)" != 0 ]; then
			skip text-$system-$b "events were lost"
		elif [ "$4" != 0 ]; then
			fail text-$system-$b "$4 of $1 texts differ"
			notes "$TMP/result"
			grep "^$(sed -n '1s/^kernel: //p' "$TMP/result" | cut -f 1)	" "$TMP/sonde" | head -n 3 | sed 's/^/#   sonde: /'
		elif [ "$1" != 0 ]; then
			pass text-$system-$b
			echo "#   $1 texts of $2 events, $3 with fields"
			compared=$((compared + $1))
		fi
	done
done
[ $compared = 0 ] && skip compared "no engine has rings here" || between compared 100 $compared 1000000000
# Not quiet: the kernel says in its log what some events would need.
clean left
