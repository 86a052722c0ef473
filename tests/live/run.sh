#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [NAME]...: runs the live tests of these names, or all, on the running kernel, here or in a guest, where there is
# only busybox. The script of a test is NAME.sh in one of the folders beside this file; each name is there once.
# SONDE and WORK say which sonde and workload; SLOW multiplies all time limits; JOBS is how many scripts run side by side
# (one, unless told). A test that fails beside others may have failed because of them: it says so, and runs once more,
# alone. A second run of the same script on this machine waits for the first.
#
# A script prints its verdicts (lib.sh); this adds those it could not print itself: that it took too long, died, or
# left processes behind. It is ended when no verdict came for 120 s, or for as long as a line "# timeout: SECONDS" says,
# and at last after four times as long.
set -u
here=$(cd "$(dirname "$0")" && pwd)
SLOW=${SLOW:-1} JOBS=${JOBS:-1}
export SONDE WORK SLOW

if [ "$(id -u)" != 0 ]; then
	echo "SKIP live: needs root"
	exit 0
fi
logs=$(mktemp -d)
going= group=
# members GROUP: the living processes of a group, with their command lines. Zombies are none: they wait for a first
# process that may never come to collect them.
members() {
	for p in /proc/[0-9]*; do
		stat=
		while IFS= read -r line; do
			stat="$stat $line"
		done 2>/dev/null <"$p/stat"
		[ -n "$stat" ] || continue
		# After the name, which may hold anything: state, parent, group.
		set -- "$1" ${stat##*) }
		[ "$4" != "$1" ] || [ "$2" = Z ] || echo "${p#/proc/} ($(tr '\0' ' ' <"$p/cmdline" 2>/dev/null))"
	done | tr '\n' ' '
}
# ended GROUP TENTHS: whether all of it has ended by then.
ended() {
	tenths=$2
	while [ -n "$(members "$1")" ]; do
		[ $tenths -gt 0 ] || return 1
		tenths=$((tenths - 1))
		sleep 0.1
	done
}
# Ends all that a test started: its process group.
end_group() {
	[ -n "$group" ] || return 0
	kill -TERM "-$group" 2>/dev/null
	ended "$group" 50 || kill -KILL "-$group" 2>/dev/null
}

# Sets $now, in whole seconds that no test sets to another time.
look_at_clock() {
	read -r now _ </proc/uptime
	now=${now%.*}
}
# script_of NAME: its path.
script_of() {
	for path in "$here"/*/"$1.sh"; do
		[ -f "$path" ] && echo "$path"
	done
}
timeout_of() {
	limit=$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$(script_of "$1")")
	echo $((${limit:-120} * SLOW))
}

# run NAME: what the script printed, its verdicts and what is wrong with it, go to its log.
run() {
	trap end_group EXIT
	trap 'exit 143' TERM
	log=$logs/$1
	limit=$(timeout_of "$1")
	# One of a name at a time on this machine: another run of these tests has the same ports and names.
	setsid "$WORK" turn "$1" "$log.turn" sh "$(script_of "$1")" >>"$log" 2>&1 </dev/null &
	group=$!
	while kill -0 "$group" 2>/dev/null && [ ! -e "$log.turn" ]; do
		sleep 0.1
	done
	look_at_clock
	begun=$now windows=4 said=$(wc -c <"$log")
	end=$((begun + limit))
	while kill -0 "$group" 2>/dev/null; do
		look_at_clock
		if [ "$now" -ge $end ]; then
			# On a machine that others keep busy it takes long, and goes on.
			windows=$((windows - 1)) before=$said said=$(wc -c <"$log")
			[ "$said" -gt "$before" ] && [ $windows -gt 0 ] || break
			end=$((end + limit))
		fi
		sleep 0.5
	done
	if kill -0 "$group" 2>/dev/null; then
		last=$(grep -E '^(PASS|FAIL|SKIP) ' "$log" | tail -n 1)
		echo "FAIL $1: took more than $((end - begun)) s; the last before that: ${last:-nothing}; running: $(members "$group")" >>"$log"
		end_group
		wait "$group"
	else
		wait "$group"
		status=$?
		[ $status = 0 ] || echo "FAIL $1: the script died with status $status" >>"$log"
		# A process that is just ending is not left behind.
		if ! ended "$group" $((30 * SLOW)); then
			echo "FAIL $1: left processes behind: $(members "$group")" >>"$log"
			end_group
		fi
	fi
	group=
	# What it and its children used of CPUs, which tells a test that works from one that waits.
	times >"$log.cpu"
	grep -qE '^(PASS|FAIL|SKIP) ' "$log" || echo "FAIL $1: the script gave no verdict" >>"$log"
}

# begin NAME: says so, and runs it beside what is going on already, as a process whose pid is the name of a file.
begin() {
	number=$((number + 1))
	echo "-- $1 ($number of $total)"
	look_at_clock
	echo "$now" >"$logs/$1.begun"
	run "$1" &
	going="$going $1:$!"
}
# show NAME: its verdicts; all that it said if something failed. Not those of what is to run again.
show() {
	if [ "$JOBS" != 1 ] && grep -q '^FAIL ' "$logs/$1"; then
		again="$again $1"
		sed 's/^/# beside others: /' "$logs/$1"
		echo "-- $1: failed beside others, and will run once more, alone"
		rm -f "$logs/$1" "$logs/$1".*
		return
	elif grep -q '^FAIL ' "$logs/$1"; then
		code=1
		cat "$logs/$1"
	else
		grep -E '^(PASS|SKIP) ' "$logs/$1"
	fi
	look_at_clock
	cpu=$(awk -F '[ms ]+' '{ s += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%d", s }' "$logs/$1.cpu")
	awk -v name="$1" -v took=$((now - $(cat "$logs/$1.begun"))) -v cpu="$cpu" '
		/^(PASS|FAIL|SKIP) / { n[$1]++ }
		END { printf "-- %s: %d passed, %d failed, %d skipped in %d s, %d s of CPUs\n", name, n["PASS"], n["FAIL"], n["SKIP"], took, cpu }
		' "$logs/$1"
}
# wait_below N: until fewer than N are going on; shows those that have ended.
wait_below() {
	while :; do
		left= n=0
		for g in $going; do
			if kill -0 "${g#*:}" 2>/dev/null; then
				left="$left $g"
				n=$((n + 1))
			else
				wait "${g#*:}"
				show "${g%:*}"
			fi
		done
		going=$left
		[ $n -ge "$1" ] || return 0
		sleep 0.5
	done
}
finish() {
	for g in $going; do
		kill -TERM "${g#*:}" 2>/dev/null
	done
	for g in $going; do
		wait "${g#*:}"
	done
	rm -rf "$logs"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

[ $# -gt 0 ] || set -- $(cd "$here" && ls -- */*.sh | sed 's,.*/,,; s/\.sh$//' | sort)
for name; do
	[ -n "$(script_of "$name")" ] || { echo "FAIL $name: no folder of $here has a $name.sh"; exit 1; }
done
total=$# number=0 code=0 again=
# Asking the kernel for all that it has takes a second of a CPU, and longer beside others.
export FEATURES="$logs/features"
"$SONDE" features --json >"$FEATURES" 2>/dev/null
# Side by side, those that may take longest begin first.
[ "$JOBS" = 1 ] || set -- $(for name; do
	echo "$(timeout_of "$name") $name"
done | sort -s -k 1,1nr | sed 's/.* //')
for name; do
	begin "$name"
	wait_below "$JOBS"
done
wait_below 1
JOBS=1 total=$(echo $again | wc -w) number=0
for name in $again; do
	begin "$name"
	wait_below 1
done
exit $code
