#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [NAME]...: runs the live tests (all scripts beside this one, or those named) on the running kernel, here or in
# a guest, where there is only busybox. SONDE and WORK say which sonde and workload; SLOW multiplies all time limits.
#
# A script prints its verdicts (lib.sh); this adds those it could not print itself: that it took too long, died, or
# left processes behind. A script may ask for more time than 120 s with a line "# timeout: SECONDS".
set -u
here=$(cd "$(dirname "$0")" && pwd)
SLOW=${SLOW:-1}
export SONDE WORK SLOW

if [ "$(id -u)" != 0 ]; then
	echo "SKIP live: needs root"
	exit 0
fi
log=$(mktemp)
group=
# members GROUP: the living processes of a group, with their command lines. Zombies are none: they wait for a first
# process that may never come to collect them.
members() {
	for p in /proc/[0-9]*; do
		stat=$(cat "$p/stat" 2>/dev/null) || continue
		# After the name, which may hold anything: state, parent, group.
		set -- "$1" ${stat##*) }
		[ "$4" != "$1" ] || [ "$2" = Z ] || echo "${p#/proc/} ($(tr '\0' ' ' <"$p/cmdline" 2>/dev/null))"
	done | tr '\n' ' '
}

# Ends all that a test started: its process group.
end_group() {
	[ -n "$group" ] || return 0
	kill -TERM "-$group" 2>/dev/null
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ -n "$(members "$group")" ] || return 0
		sleep 0.2
	done
	kill -KILL "-$group" 2>/dev/null
}
trap 'end_group; rm -f "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# run NAME: what the script printed, its verdicts and what is wrong with it, go to $log.
run() {
	limit=$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$here/$1.sh")
	limit=$((${limit:-120} * SLOW))
	: >"$log"
	setsid sh "$here/$1.sh" >>"$log" 2>&1 </dev/null &
	group=$!
	end=$(($(date +%s) + limit))
	while kill -0 "$group" 2>/dev/null && [ "$(date +%s)" -lt $end ]; do
		sleep 0.2
	done
	if kill -0 "$group" 2>/dev/null; then
		echo "FAIL $1: took more than $limit s" >>"$log"
		end_group
		wait "$group"
	else
		wait "$group"
		status=$?
		[ $status = 0 ] || echo "FAIL $1: the script died with status $status" >>"$log"
		# A process that is just ending is not left behind.
		sleep 0.1
		left=$(members "$group")
		if [ -n "$left" ]; then
			echo "FAIL $1: left processes behind: $left" >>"$log"
			end_group
		fi
	fi
	group=
	grep -qE '^(PASS|FAIL|SKIP) ' "$log" || echo "FAIL $1: the script gave no verdict" >>"$log"
}

[ $# -gt 0 ] || set -- $(cd "$here" && ls -- *.sh | sed 's/\.sh$//' | grep -vxE 'lib|run')
code=0
for name in "$@"; do
	run "$name"
	if grep -q '^FAIL ' "$log"; then
		code=1
		cat "$log"
	else
		grep -E '^(PASS|SKIP) ' "$log"
	fi
done
exit $code
