# SPDX-License-Identifier: GPL-2.0
# timeout: 1200
#
# Hours in minutes: what a small workload does is shown and counted at the end as at the beginning, although in between
# so many processes and threads came and went that ids began anew; files were made that stay and that go, requests were
# merged, connections opened and closed, a CPU went and came, and the clock was set. SOAK is how many rounds of that there
# are (2, unless told; from 3 on, two sets of tools). No map gets full, and sonde's memory does not grow.
. "${0%/*}/../lib.sh"

SOAK=${SOAK:-2} FORKS=2000 FILES=500
# Tools that look at the whole machine see what others do there; and it is not ours to set its clock.
if [ -z "${LAB:-}" ]; then
	skip hours "only in a guest of the lab, which has nothing else to do"
	exit 0
fi
online=/sys/devices/system/cpu/cpu1/online
pid_max=$(cat /proc/sys/kernel/pid_max)
echo 1500 >/proc/sys/kernel/pid_max
cleanup_hook() { echo "$pid_max" >/proc/sys/kernel/pid_max; [ ! -w $online ] || echo 1 >$online; }
folder disk || exit 0
name=${DISK#/dev/}

# As much as sonde holds by itself, kB: not the rings, which kernels count or do not.
memory() { awk '/^RssAnon:/ { print $2 }' "/proc/$(pid "$1")/status"; }
# waiting ENGINE: what of it may wait to be put in order once sonde came late, kB: what two CPUs do within 0.1 s, in queues
# that double, and keep their size.
waiting() { case $1 in bpf) echo 0 ;; *) echo 4096 ;; esac; }

# round: what an hour brings.
round() {
	if [ -w $online ]; then
		echo 0 >$online
		sleep 0.2
		echo 1 >$online
	fi
	"$WORK" churn "$FOLDER" $FORKS $FILES
	# Neighbours, written at once: they become larger requests.
	"$WORK" dirty "$FOLDER/large" 2000 >/dev/null
	sync
	rm "$FOLDER/large"
	"$WORK" sessions 50 7260 4 100 100 client >/dev/null
	date -s "@$(($(date +%s) + 3600))" >/dev/null
	date -s "@$(($(date +%s) - 3600))" >/dev/null
}

# seen N: what happens on a CPU that has just come is not seen on the perf engine until sonde has found it; N times.
seen() {
	for id in $tools; do
		[ "$(grep -c '^perf: CPU 1 went online' "$TMP/$id.err")" -ge $1 ] || return 1
	done
}

# probe N: a little of all that is traced, to the last detail.
probe() {
	while read -r letter job; do
		mkdir -p "$FOLDER/mounts$1"
		# The shell splits the line into words.
		load $letter$1 "$WORK" -c probe$1 $(echo "$job" | sed "s|DIR|$FOLDER|; s|N\$|$1|; s|N |$1 |")
		go $letter$1
	done <<-JOBS
	p exits 2
	l lives DIR/livesN
	t sessions 5 726N 4 3000 5000 client
	s syncs 2 DIR
	o opens 3 DIR
	a stats 2 DIR
	e execs 2
	k kills 2
	m mounts DIR/mountsN
	JOBS
}

# The rows of both probes.
exited() { fields "$TMP/x.out" comm exit_code signal | grep -c '^probe'; }
lived() {
	fields "$TMP/f.out" pid comm | awk -F '\t' -v one="$(pid l1)" -v two="$(pid l2)" \
		'$2 ~ /^probe/ && ($1 == one || $1 == two) { n++ } END { print n + 0 }'
}
connected() { fields "$TMP/t.out" comm rport | grep -c '^probe.*726'; }
synced() { fields "$TMP/y.out" comm call | grep -c '^probe'; }
# rows ID N: those of one probe, by its name, its port, or its children.
rows() { grep -c -E "\"probe$2\"|port\":726$2[^0-9]|\"ppid\":$(pid e$2)[^0-9]" "$TMP/$1.out"; }

# Tools whose rows or counts are compared with what the workload says of itself.
counted_tools() {
	cat <<-TOOLS
	x exitsnoop
	f filelife
	q biolatency -Q -d $name
	o biosnoop -Q -d $name
	t tcplife
	y syncsnoop -a
	r runqlat -P
	c cpudist -O -P
	l syscount -L -P
	TOOLS
}
# Other tools that keep what they know of what is under way: the second probe has as many rows as the first.
more_tools() {
	[ $SOAK -gt 2 ] || return
	cat <<-TOOLS
	P opensnoop
	A statsnoop
	E execsnoop
	K killsnoop
	M mountsnoop
	C tcpconnect
	N tcpconnlat
	T tcpstates
	B tcpaccept
	F fileslower 0
	TOOLS
}

# begin: starts those of the set that this engine can, and lists them in $tools.
begin() {
	tools=
	# What was there before is not shown when it goes.
	for dir in "$FOLDER/lives1" "$FOLDER/lives2"; do
		mkdir -p "$dir"
		: >"$dir/old"
		: >"$dir/older"
	done
	sync
	$set >"$TMP/set"
	while read -r id line <&3; do
		# The shell splits the line into words.
		start_or_skip "soak-$b-${line%% *}" "$(absences $b)" $id $line --backend $b --json && tools="$tools $id"
	done 3<"$TMP/set"
}
is_on() { case " $tools " in *" $1 "*) ;; *) false ;; esac; }

# hours: the work of SOAK hours, with the tools of a set on an engine. 1: none of them can run.
hours() {
	begin
	[ -n "$tools" ] || return 1
	probe 1
	round >/dev/null
	for id in $tools; do
		eval "memory_$id=$(memory $id)"
	done
	n=0 wraps=0
	while [ $n -lt $SOAK ]; do
		wraps=$((wraps + $(round | awk -F '\t' '$1 == "churn" { n += $4 } END { print n + 0 }')))
		n=$((n + 1))
	done
	[ $b != perf ] || [ ! -w $online ] || wait_for 20 seen $((SOAK + 1)) || fail online-$set "a CPU that came is not traced"
	probe 2
	sync
	load w "$WORK" pingpong 300
	go w
	for id in $tools; do
		eval "grown=\$((\$(memory $id) - memory_$id))"
		echo "# $b, $id: $grown kB more after $SOAK rounds"
		# And what a map of results keeps up to its end.
		between memory-$b-$id -65536 $grown $((3000 + $(waiting $b)))
	done
	expect wrapped-$b [ $wraps -gt 0 ]
	for id in $tools; do
		stop $id
		equal full-$b-$id 0 "$(reported "$TMP/$id.out" full)"
	done
}

for b in $ENGINES; do
	set=more_tools
	if hours; then
		for id in $tools; do
			lossless lost-$b-$id $b "$TMP/$id.out" || continue
			first=$(rows $id 1)
			expect some-$b-$id [ "$first" -gt 0 ]
			equal rows-$b-$id "$first" "$(rows $id 2)"
		done
	fi
	set=counted_tools
	hours || continue
	# Rows of both probes, unless sonde says that it lost some.
	for row in "x exited" "f lived" "t connected" "y synced"; do
		set -- $row
		is_on $1 || continue
		# What began on a CPU that has just come is unknown to perf, and its end is counted as lost; in the
		# probes no CPU comes.
		lost=0
		[ $b$1 = perfx ] || { lossless lost-$b-$1 $b "$TMP/$1.out" && lost=$(unseen "$TMP/$1.out"); } || continue
		case $1 in
		x) wanted=$(cat "$TMP/p1.said" "$TMP/p2.said" | grep -c '^exit	') ;;
		f) wanted=$(cat "$TMP/l1.said" "$TMP/l2.said" | grep -c '^life	') ;;
		t) wanted=10 ;;
		y) wanted=$(cat "$TMP/s1.said" "$TMP/s2.said" | grep -c '^sync	') ;;
		esac
		got=$($2)
		# Other jobs of the probe end as well.
		most=$wanted
		[ $1 != x ] || most=$((wanted * 2))
		between rows-$b-$1 $((wanted - lost)) "$got" $most
	done
	# Each request is counted, with a time or without one.
	if is_on q && is_on o && lossless lost-$b-q $b "$TMP/q.out" && lossless lost-$b-o $b "$TMP/o.out"; then
		untimed=$(reported "$TMP/q.out" untimed)
		requests=$(grep -c "^{\"time_s\"" "$TMP/o.out")
		between requests-$b $((requests * 99 / 100)) $(($(counted "$TMP/q.out") + ${untimed:-0})) $((requests * 101 / 100))
	fi
	# Whoever had these ids before waited a few times at most.
	switches=$(awk -F '\t' '$1 == "pingpong" { print $5 }' "$TMP/w.said")
	for id in r c; do
		is_on $id && lossless lost-$b-$id $b "$TMP/$id.out" || continue
		expect turns-$b-$id [ "$(counted "$TMP/$id.out" pid "$(pid w)")" -ge $((switches * 9 / 10)) ]
	done
	# --exec follows its own, to the end, and nobody who got an id of theirs.
	[ $b = bpf ] || has_kprobes || continue
	"$SONDE" opensnoop --backend $b --json --exec sh -c "'$WORK' churn '$FOLDER' $((SOAK * FORKS)) 0
		'$WORK' -c own opens 3 '$FOLDER' >'$TMP/own.said'" >"$TMP/e.all" 2>"$TMP/e.err" </dev/null
	status=$?
	grep '^{' "$TMP/e.all" >"$TMP/e.out"
	if equal exec-ends-$b 0 $status && lossless lost-$b-exec $b "$TMP/e.out"; then
		equal full-$b-exec 0 "$(reported "$TMP/e.out" full)"
		equal rows-$b-exec "$(grep -c '^open' "$TMP/own.said")" "$(fields "$TMP/e.out" comm path | grep '^own	' |
			grep -c -F "$FOLDER")"
	fi
	rm -f "$FOLDER"/[0-9]*-*
done

clean left
quiet kernel-log
