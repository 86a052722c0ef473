# SPDX-License-Identifier: GPL-2.0
#
# bootchart: the processes of recordings of sonde, perf and trace-cmd, as tables and as a picture; what it refuses.
. "${0%/*}/../lib.sh"

if ! has perf; then
	skip bootchart "$(feature perf 3-)"
	exit
fi
LIFE=sched:sched_process_fork,sched:sched_process_exec,sched:sched_process_exit

# chart NAME FILE: each program that the job executed ended, and is in the picture. The tables have what took longest.
chart() {
	"$SONDE" bootchart "$2" >"$TMP/tables" 2>"$TMP/err"
	equal "$1-status" 0 $?
	"$SONDE" bootchart "$2" -o "$TMP/svg" 2>>"$TMP/err"
	equal "$1-picture-status" 0 $?
	equal "$1-quiet" "" "$(cat "$TMP/err")"
	contains "$1-tables" "$TMP/tables" '^LONGEST ENDED PROCESSES$'
	equal "$1-complete" '</svg>' "$(tail -n 1 "$TMP/svg")"
	if command -v xmllint >/dev/null; then
		expect "$1-xml" xmllint --noout "$TMP/svg"
	fi
	# Programs that live a second have rows, whatever else goes on; their maker has the name of its last program.
	awk '$1 == "sleeps" { print "sleep (" $2 ") of work (" $3 ")" }' "$TMP/job" | sort >"$TMP/wanted"
	equal "$1-job" 3 "$(grep -c . "$TMP/wanted")"
	sed -n 's|^<g><title>\(sleep ([0-9]*) of work ([0-9]*)\), from .* s, to .* s: .*|\1|p' "$TMP/svg" | sort >"$TMP/got"
	grep -F -x -f "$TMP/wanted" "$TMP/got" >"$TMP/both"
	same "$1-rows" "$TMP/wanted" "$TMP/both"
}
# What it records: three programs, one after the other, and one that computes.
cat >"$TMP/run" <<'END'
for i in 1 2 3; do
	sleep 1 &
	echo "sleeps $! $$"
	wait
done
exec "$WORK" spin 1 300
END
job() { WORK=$WORK "$@" sh "$TMP/run" >"$TMP/job" 2>"$TMP/record.err"; }

job "$SONDE" record -o "$TMP/data" -e "$LIFE,sched:sched_switch,block:block_rq_*"
chart sonde "$TMP/data"
# What it computed is CPU time of that process.
pid=$(awk '$1 == "sleeps" { print $3 }' "$TMP/job" | head -n 1)
ms=$(sed -n "s|^<g><title>work ($pid).*, ran \([0-9.]*\) s, .*|\1|p" "$TMP/svg" | awk '{ print int($1 * 1000) }')
us=$(awk '$1 == "spin" { print $5 }' "$TMP/job")
between sonde-ran $((us / 1000 - 20)) "${ms:-0}" $((us / 1000 + 500))
if grep -q '^switches are missing, and CPU times with them' "$TMP/tables" && perf_leaves_out; then
	skip sonde-cpus "this kernel leaves out samples of perf events"
else
	contains sonde-cpus "$TMP/tables" 'CPUs? ran [0-9]* % of the time'
fi
contains sonde-disks "$TMP/svg" '>disks read<'

"$SONDE" bootchart - -o - <"$TMP/data" >"$TMP/stdin" 2>"$TMP/err"
sed 's/^\(<title>\|<text class="h".*>\)data: /\1-: /' "$TMP/svg" | sed 's/>data: Linux/>-: Linux/' >"$TMP/wanted"
same stdin "$TMP/wanted" "$TMP/stdin"

# Only lives: there are no times of CPUs, and it says so.
job "$SONDE" record -o "$TMP/data" -e "$LIFE"
chart lives "$TMP/data"
contains lives-said "$TMP/tables" '^sched:sched_switch was not recorded: CPU times are unknown$'
equal lives-no-cpu 0 "$(grep -c '^MOST CPU' "$TMP/tables")"

if command -v perf >/dev/null; then
	job perf record -q -a -e "sched:sched_switch,sched:sched_process_exec" -o "$TMP/data"
	chart perf "$TMP/data"
else
	skip perf "perf is not installed"
fi

if ! command -v trace-cmd >/dev/null; then
	skip trace-cmd "trace-cmd is not installed"
else
	for events in "-e sched" "-e sched -e task"; do
		# shellcheck disable=SC2086
		if job trace-cmd record -q --compression none -C mono $events -o "$TMP/data"; then
			chart "trace-cmd$(echo "$events" | tr -d ' ')" "$TMP/data"
		else
			skip "trace-cmd$(echo "$events" | tr -d ' ')" "$(head -n 1 "$TMP/record.err")"
		fi
	done
fi

# refused NAME STATUS MESSAGE ARGS...
refused() {
	name=$1 status=$2 message=$3
	shift 3
	"$SONDE" bootchart "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	equal "$name-status" "$status" $?
	contains "$name-said" "$TMP/err" "$message"
	equal "$name-nothing" 0 "$(wc -c <"$TMP/out")"
}
job "$SONDE" record -o "$TMP/data" -e "$LIFE"
refused none 2 'bootchart takes FILE'
refused two 2 'bootchart takes FILE' "$TMP/data" "$TMP/data"
refused option 2 'there is no option --nothing' --nothing "$TMP/data"
refused no-value 2 'there is no option -o, or its value is missing' "$TMP/data" -o
refused missing 1 "can't read .*/nowhere" "$TMP/nowhere"
refused no-folder 1 "bootchart: can't write .*/no/svg: " "$TMP/data" -o "$TMP/no/svg"
head -c 5000 "$TMP/job" >"$TMP/text"
refused text 1 'is no recording|neither' "$TMP/text"

# As another process than 1, the first process of a boot does nothing.
ln -s "$SONDE" "$TMP/sonde-init"
"$TMP/sonde-init" >"$TMP/out" 2>"$TMP/err"
equal init-status 2 $?
contains init-said "$TMP/err" "^sonde-init: it is for the kernel's command line"
