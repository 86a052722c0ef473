#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# recordings.sh KERNEL [FOLDER]: what sonde records in a guest of this kernel is read here: each tool has the same rows as
# in the guest, and perf, if it is here, the same events without a word of complaint. Prints verdicts. With FOLDER the
# recordings stay there.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
kernel=$1 keep=${2:-}
sonde=${SONDE:-$root/sonde}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/sonde-recordings.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
left=${keep:-$tmp/left}

# Each line: the name of the file; the job; what is recorded; `:` and a tool that reads it, several times.
cat >"$tmp/jobs" <<'JOBS'
sched	pingpong 200	-e sched:*,task:task_newtask	: runqlat -P : cpudist -P : exitsnoop
samples	spin 1 1500	-F 99	: profile --folded
both	pingpong 200	-F 199 -e sched:sched_switch	: profile --folded : cpudist
stacks	pingpong 200	offcputime	: offcputime --folded : offcputime
tools	opens 20 /tmp	opensnoop, fileslower 0, funccount vfs_open	: opensnoop : funccount vfs_open
files	fileops 10 /tmp	fileslower 0	: fileslower 0
named	moves 10 /tmp	-e p:vfs_write,r:vfs_write	: trace p:vfs_write
deep	vfs 5 /tmp	stackcount vfs_open	: stackcount vfs_open
user	heap	funccount /lab/work:heap_*	: funccount /lab/work:heap_*
net	sessions 5 7101 4 5000 9000 client	tcplife, tcpaccept	: tcplife : tcpaccept
JOBS
# In the guest.
cat >"$tmp/guest.sh" <<'GUEST'
. ./read.sh
export PATH=$PATH:/lab
set -f
tab=$(printf '\t')
while IFS=$tab read -r name job what _; do
	: >err
	# By name, or tools: both end with the job.
	sonde record -o "$RESULTS/$name.data" $what 2>err </dev/null &
	pid=$!
	i=0
	while [ $i -lt 300 ] && ! grep -q '^sonde: record: [0-9]* events on' err && kill -0 $pid 2>/dev/null; do
		sleep 0.2
		i=$((i + 1))
	done
	work $job >"$RESULTS/$name.job" 2>&1
	kill -INT $pid
	wait $pid
	echo $? >"$RESULTS/$name.status"
	cp err "$RESULTS/$name.err"
done <jobs
sonde record -o - -d 4 exitsnoop >"$RESULTS/stream.data" 2>err </dev/null &
pid=$!
sleep 2
work execs 10 >"$RESULTS/stream.job" 2>&1
wait $pid
echo $? >"$RESULTS/stream.status"
cp err "$RESULTS/stream.err"
read_all "$RESULTS" guest sonde
cat /proc/version
GUEST
# In both places: rows of each tool, in FOLDER/NAME-N.SUFFIX.
cat >"$tmp/read.sh" <<'READ'
# read_all FOLDER SUFFIX SONDE
read_all() {
	tab=$(printf '\t')
	printf 'stream\t-\t-\t: exitsnoop\n' | cat jobs - >all
	while IFS=$tab read -r name _ _ tools; do
		"$3" info --json "$1/$name.data" >"$1/$name.info.$2" 2>"$1/$name.info.$2.err"
		n=0
		while [ -n "$tools" ]; do
			tools=${tools#: }
			tool=${tools%% :*}
			case $tools in *" : "*) tools=": ${tools#* : }" ;; *) tools= ;; esac
			n=$((n + 1))
			case $tool in *--folded) form= ;; *) form=--csv ;; esac
			"$3" $tool $form --input "$1/$name.data" >"$1/$name-$n.$2" 2>"$1/$name-$n.$2.err" </dev/null
		done
	done <all
}
READ
[ -x "$sonde" ] || { echo "SKIP lab:recordings: $sonde is not built"; exit 0; }
"$here/lab.sh" "K=$kernel" --add "$tmp/jobs" --add "$tmp/guest.sh" --add "$tmp/read.sh" --results "$left" \
	--run 'sh ./guest.sh' >"$tmp/said" 2>&1
status=$?
if [ $status = 77 ]; then
	echo "SKIP lab:recordings: $(tail -n 1 "$tmp/said")"
	exit 0
elif [ $status != 0 ]; then
	echo "FAIL lab:recordings: the guest ended with status $status"
	tail -n 20 "$tmp/said" | sed 's/^/# /'
	exit 0
fi
echo "-- lab:recordings: $(tail -n 1 "$tmp/said")"
# verdict NAME CONDITION [FILE]: a shell's condition; what is shown if it is false.
verdict() {
	if eval "$2"; then
		echo "PASS lab:recordings-$1"
	else
		echo "FAIL lab:recordings-$1: $2"
		[ -z "${3:-}" ] || head -n 20 "$3" | sed 's/^/# /'
	fi
}

cd "$tmp" || exit 1
(set -f; . ./read.sh; TZ=UTC read_all "$left" here "$sonde")
while IFS="$(printf '\t')" read -r name _; do
	data=$left/$name.data
	if [ ! -s "$data" ]; then
		echo "SKIP lab:recordings-$name: $(grep -m 1 '^sonde: ' "$left/$name.err")"
		continue
	fi
	verdict "$name-recorded" "[ \"\$(cat $left/$name.status)\" = 0 ]" "$left/$name.err"
	for rows in "$left/$name"-[0-9].guest; do
		mine=${rows%.guest}.here label=$(basename "${rows%.guest}")
		# Below a head, where there is one.
		verdict "$label-rows" "[ $(wc -l <"$rows") -gt $(head -n 1 "$rows" | grep -c '^[A-Za-z_()]*,') ]" "$rows.err"
		diff "$rows" "$mine" >"$tmp/diff" 2>&1
		verdict "$label-same" "cmp -s $rows $mine" "$tmp/diff"
	done
	if command -v perf >/dev/null; then
		perf script -i "$data" -F comm,pid,time,event --ns >"$tmp/out" 2>"$tmp/perf"
		# The guest's kernel is not here, and perf looks for its functions; some perfs can't unwind for other machines.
		# Of what its rings lost it warns, as sonde does.
		grep -v '^No kallsyms or vmlinux with build-id\|^unwind: target platform=.* is not supported' "$tmp/perf" >"$tmp/err"
		! grep -q 'events lost' "$left/$name.err" || sed -i '/^Warning:/,/^Check IO/d; /^$/d' "$tmp/err"
		if [ "$name" = stream ] && grep -q 'failed to process type: 3' "$tmp/err"; then
			echo "SKIP lab:recordings-stream-perf: this perf reads no stream of the other byte order"
			continue
		fi
		verdict "$name-perf-silent" "[ ! -s $tmp/err ]" "$tmp/err"
		seen=$(sed -n 's/.*"seen": \([0-9]*\).*/\1/p' "$left/$name.info.here")
		verdict "$name-perf" "[ -n '$seen' ] && [ '$seen' = $(grep -c . "$tmp/out") ]"
	fi
done <all
