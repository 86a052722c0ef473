#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# lines.sh [BURSTS [CALLS]]: a script in bpftrace's language prints a line for each getppid(2) of a workload that makes
# BURSTS (20) times CALLS (50000) of them at full speed, with a pause behind each. For sonde's engines and bpftrace: the
# lines, those that were said to be lost, CPU seconds of the tool, and seconds that the workload took. Needs root.
# SONDE= and WORK= are the binaries, EXTRA= more options of sonde, as `--buffer-pages 4096`.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
SONDE=${SONDE:-$root/sonde}
WORK=${WORK:-$root/build/tests/work}
bursts=${1:-20} calls=${2:-50000}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/sonde-lines.XXXXXX") || exit 1
trap 'rm -rf "$TMP"' EXIT
script='BEGIN { printf("ready\n"); }
tracepoint:syscalls:sys_enter_getppid /comm == "work"/ { printf("%d %s %d\n", pid, comm, nsecs); }'

# CPU seconds of a process until now, in hundredths.
cpu() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }

flood() {
	for _ in $(seq "$bursts"); do
		"$WORK" flood getppid "$calls" >/dev/null
		sleep 0.3
	done
}

# measure WHO COMMAND...
measure() {
	who=$1
	shift
	"$@" >"$TMP/out" 2>"$TMP/err" &
	tool=$!
	for _ in $(seq 300); do
		grep -qs ready "$TMP/out" && break
		sleep 0.1
	done
	sleep 2			# bpftrace attaches behind BEGIN
	before=$(cpu $tool)
	begin=$(date +%s.%N)
	flood
	took=$(echo "$begin $(date +%s.%N) $bursts" | awk '{ printf "%.1f", $2 - $1 - 0.3 * $3 }')
	sleep 3
	after=$(cpu $tool)
	kill -INT $tool
	wait $tool
	lost=$(cat "$TMP/out" "$TMP/err" |
		sed -n 's/^Lost \([0-9]*\) events.*/\1/p; s/.*: \([0-9]*\) events.* lost between.*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }')
	echo "$who $(grep -c ' work ' "$TMP/out") $lost $after $before $took" |
		awk '{ printf "%-12s %8d %8d %8.2f %8.1f\n", $1, $2, $3, ($4 - $5) / 100, $6 }'
}

printf '%-12s %8s %8s %8s %8s\n' "$((bursts * calls)) calls" lines lost CPU work
for b in bpf perf ftrace; do
	measure "sonde-$b" "$SONDE" bt --backend $b -q ${EXTRA:-} -e "$script"
done
command -v bpftrace >/dev/null && measure bpftrace bpftrace -e "$script"
