# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# Buffers of one page and a flood: what was seen and what is reported as lost is what happened, on every engine, and
# no row is made of halves of two events.
. "${0%/*}/../lib.sh"

# What really happened, counted by an instance of our own, which is large enough.
instance=$TRACEFS/instances/loss-test-$$
cleanup_hook() { [ ! -d "$instance" ] || rmdir "$instance"; }
mkdir "$instance" || { fail instance "can't make $instance"; exit; }
echo 20000 >"$instance/buffer_size_kb"
# truth_begin EVENT FILTER
truth_begin() {
	echo "$2" >"$instance/events/$1/filter" && echo 1 >"$instance/events/$1/enable" || fail truth "can't count $1"
}
# The number of events, by each CPU's own account; 1 if it lost some itself.
truth_end() {
	echo 0 >"$instance/events/enable"
	cat "$instance"/per_cpu/cpu*/stats | awk '
		$1 == "entries:" { n += $2 }
		$1 == "overrun:" { lost += $2 }
		$1 == "commit" || $1 == "dropped" { lost += $3 }
		END { print n + 0; exit lost > 0 }'
	code=$?
	echo >"$instance/trace"
	return $code
}

# stopped_meanwhile ID: lets the workload go while sonde can't read: the rings overflow on any machine.
stopped_meanwhile() {
	kill -STOP "$(pid s)"
	go "$1"
	kill -CONT "$(pid s)"
}

# The flood is of two threads that connect to a port where nobody listens: one event each time. Whatever else connects
# on this machine is in the truth too. The rings learn of the threads from events that may be lost as well: then a row
# does not say whose it is.
N=30000
for b in "bpf" "bpf --without ringbuf" "perf" "ftrace"; do
	n=connect-$(echo $b | tr -d ' -')
	load w "$WORK" flood connect $((N / 4)) 2
	load v "$WORK" flood connect $((N / 4)) 2
	truth_begin sock/inet_sock_set_state "newstate == 2 && protocol == 6"
	start_or_skip $n '' s tcpconnect --backend $b --json --buffer-pages 1 || { go w v; truth_end >/dev/null; continue; }
	go w
	stopped_meanwhile v
	stop s && equal $n-ends 0 "$STATUS"
	if ! all=$(truth_end); then
		fail $n "the test's own buffer was too small"
		continue
	fi
	fields "$TMP/s.out" pid ip daddr dport >"$TMP/rows"
	rows=$(cut -f 2 "$TMP/w.said" "$TMP/v.said" | sed 's/$/	4	127.0.0.1	1/' | grep -cxFf - "$TMP/rows")
	nameless=$(grep -cx -e '-	4	127.0.0.1	1' "$TMP/rows")
	other=$(($(wc -l <"$TMP/rows") - rows - nameless))
	lost=$(unseen "$TMP/s.out")
	echo "# $n: $rows rows, $nameless of no known process, $other others, $lost lost; $N connects, $all with others"
	between $n $N $((rows + nameless + lost)) $((all - other + $(reported "$TMP/s.out" unpaired)))
	case $b in
	bpf*) equal $n-known 0 "$nameless" ;;
	esac
	expect $n-lost [ "$lost" -gt $((N / 4)) ]
	contains $n-said "$TMP/s.err" "sonde: tcpconnect: [0-9]+ events? lost"
done

# A row of opensnoop is made of two or three events. Each name of the flood is there once.
N=20000
for b in "bpf" "bpf --without ringbuf" "perf" "ftrace"; do
	n=open-$(echo $b | tr -d ' -')
	case $b in
	bpf*) ;;
	*) rings_have_strings || continue ;;
	esac
	load w "$WORK" flood names $((N / 2))
	load v "$WORK" flood names $((N / 2))
	start_or_skip $n '' s opensnoop --backend $b --json --buffer-pages 1 -p "$(pid w),$(pid v)" || { go w v; continue; }
	go w
	stopped_meanwhile v
	stop s && equal $n-ends 0 "$STATUS"
	fields "$TMP/s.out" pid errno path >"$TMP/rows"
	rows=$(wc -l <"$TMP/rows")
	lost=$(unseen "$TMP/s.out")
	awk -F '\t' -v first="$(cut -f 2 "$TMP/w.said")" -v second="$(cut -f 2 "$TMP/v.said")" '
		$1 != first && $1 != second || $2 != 2 || $3 !~ /^\/nonexistent\/[0-9]+$/ { print "wrong: " $0 }
		{ i = substr($3, 14) + 0 }
		$1 == last_pid && i <= last { print "order: " $0 }
		$1 == first && last_pid == second { print "order: " $0 }
		{ last = i; last_pid = $1 }' "$TMP/rows" >"$TMP/wrong"
	: >"$TMP/none"
	same $n-rows "$TMP/none" "$TMP/wrong"
	echo "# $n: $rows rows, $lost lost, $N opens"
	# The bpf engine's programs filter and join before anything can be lost; the rings lose events, three an open,
	# and other tasks' too.
	case $b in
	bpf*) equal $n $N $((rows + lost)) ;;
	*) between $n $N $((rows + lost)) $((3 * N + 5000 + $(reported "$TMP/s.out" unpaired))) ;;
	esac
done
# Direct I/O from several threads of two processes, each to its own part of a disk: every row says whose it is. What the
# kernel itself counts are the requests that were done.
N=8000
if disk io; then
	number=$(tr : ' ' <"/sys/class/block/${DISK#/dev/}/dev" | awk '{ print $1 * 1048576 + $2 }')
	for b in "bpf" "bpf --without ringbuf" "perf" "ftrace"; do
		n=io-$(echo $b | tr -d ' -')
		load w "$WORK" ioflood "$DISK" 0 8192 $((N / 8)) 4
		load v "$WORK" ioflood "$DISK" 8192 8192 $((N / 8)) 4
		truth_begin block/block_rq_complete "dev == $number && nr_sector > 0"
		start_or_skip $n "$(absences ${b%% *})" s biosnoop --backend $b --json --buffer-pages 1 -d "${DISK#/dev/}" ||
			{ go w v; truth_end >/dev/null; continue; }
		go w
		cpu=$(awk '{ print $14 + $15 }' "/proc/$(pid s)/stat")
		stopped_meanwhile v
		stop s && equal $n-ends 0 "$STATUS"
		all=$(truth_end) || { fail $n "the test's own buffer was too small"; continue; }
		fields "$TMP/s.out" pid comm type sector bytes lat_ms >"$TMP/rows"
		rows=$(wc -l <"$TMP/rows")
		lost=$(unseen "$TMP/s.out")
		# What others read of a new disk has another name. A ring may lose who made a request, and nothing else then.
		cat "$TMP/w.said" "$TMP/v.said" | awk -F '\t' -v rings=$([ "${b%% *}" = bpf ] || echo 1) '
			NR == FNR { from[$2] = $3; to[$2] = $4; next }
			$1 == "-" && ($2 == "-" || $2 == "work") && rings { next }
			!($1 in from) && $2 != "work" && $2 != "-" { next }
			!($1 in from) || $2 != "work" || $3 !~ /^[RW]$/ || $4 < from[$1] || $4 + $5 / 512 - 1 > to[$1] ||
				$4 % 8 || $5 % 4096 || $6 <= 0 { print }' - "$TMP/rows" >"$TMP/wrong"
		: >"$TMP/none"
		same $n-rows "$TMP/none" "$TMP/wrong"
		echo "# $n: $rows rows, $lost lost, $all requests; $cpu ticks of CPU for the first half"
		case $b in
		# A request's end may interrupt another program: the kernel skips the second one, which need not be the one
		# that makes rows, and before 6.7 does not count it.
		bpf*) missed=$(reported "$TMP/s.out" missed)
			case $missed in
			- | '') between $n $((all - all / 100)) $((rows + lost)) "$all" ;;
			*)	bpf_left_out $n bpf "$all" $((rows + lost)) ||
					between $n "$all" $((rows + lost)) $((all + missed)) ;;
			esac ;;
		*) between $n "$all" $((rows + lost)) $((4 * all + $(reported "$TMP/s.out" unpaired))) ;;
		esac
		expect $n-lost [ "$lost" -gt 0 ]
	done
fi
# The rings of ftrace that tell of new tasks and their names are small, whatever the buffers are: an end whose task is not
# known is counted.
for b in perf ftrace; do
	n=exits-$b
	load w "$WORK" build $((1500 / SLOW)) 4
	start_or_skip $n "$(absences $b)" s exitsnoop --backend $b --json --buffer-pages 2048 || { go w; continue; }
	stopped_meanwhile w
	stop s
	awk '$1 == "child" || $1 == "parent" { print $2 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid >"$TMP/rows"
	rows=$(grep -cxFf "$TMP/wanted" "$TMP/rows") lost=$(unseen "$TMP/s.out") N=$(wc -l <"$TMP/wanted")
	echo "# $n: $rows rows of $N, $lost lost"
	between $n $((N - lost)) "$rows" "$N"
done
clean left
quiet kernel-log
