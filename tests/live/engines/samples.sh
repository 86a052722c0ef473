# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# Samples need perf_event_open(2) alone: profile and scripts of clocks and counters run where there is no tracefs, because
# sonde is told to do without it, or because none can be mounted. perf's side band then tells processes and names.
. "${0%/*}/../lib.sh"

case " $ENGINES " in *" perf "*) ;; *) skip samples "not with the engines $ENGINES"; exit ;; esac
has perf-samples || { skip samples "$(feature perf-samples 3)"; exit; }

questions='BEGIN { printf("begun\n"); } profile:hz:199 /comm == "work"/ { @samples[pid] = count(); }
	software:page-faults:1 /comm == "work"/ { @faults = count(); }
	interval:ms:100 { @ticks = count(); } END { printf("ended\n"); }'

# try NAME STARTER ARGS...: a process that is there already, and one that begins and executes another program.
try() {
	name=$1
	starter=$2
	shift 2
	load w "$WORK" frameless 600
	"$WORK" signals $starter "$SONDE" bt "$@" --verbose -e "$questions" >"$TMP/b.out" 2>"$TMP/b.err" </dev/null &
	pid_b=$!
	running="$running $!"
	"$WORK" signals $starter "$SONDE" profile "$@" --verbose -F 199 -f -U -p "$(pid w)" >"$TMP/p.out" 2>"$TMP/p.err" </dev/null &
	pid_p=$!
	running="$running $!"
	wait_for 30 attached b
	wait_for 30 attached p
	old=$(pid w)
	go w
	sh -c 'echo $$ >"$1"; exec "$0" frameless 600' "$WORK" "$TMP/new" >/dev/null
	stop p && equal $name-profile-ends 0 "$STATUS" || notes "$TMP/p.err"
	stop b && equal $name-script-ends 0 "$STATUS" || notes "$TMP/b.err"
	contains $name-engine "$TMP/p.err" 'engine perf'
	# 120 samples of each, also on a busy machine: the CPU's time counts. An emulated machine leaves some out.
	n=$(awk '/^work;.*frameless_(often|seldom)/ { n += $NF } END { print n + 0 }' "$TMP/p.out")
	between $name-samples 60 "$n" 140
	equal $name-begun 1 "$(grep -c '^begun' "$TMP/b.out")"
	equal $name-ended 1 "$(grep -c '^ended' "$TMP/b.out")"
	contains $name-process "$TMP/b.out" "^@samples\[$old\]: 1?[0-9][0-9]\$"
	contains $name-new-process "$TMP/b.out" "^@samples\[$(cat "$TMP/new")\]: 1?[0-9][0-9]\$"
	contains $name-ticks "$TMP/b.out" '^@ticks: [1-9]'
	contains $name-faults "$TMP/b.out" '^@faults: [1-9]'
}

try without '' --without tracefs
if unshare -m sh -c 'mount -t tmpfs none /sys/kernel' 2>/dev/null; then
	cat >"$TMP/hidden" <<-'HIDDEN'
		mount -t tmpfs none /sys/kernel && exec "$@"
	HIDDEN
	try hidden "unshare -m sh $TMP/hidden" --backend perf
else
	skip hidden "no mount namespaces here"
fi

# What needs a tracepoint says so: one reason, that of tracefs.
refused tracepoint 'tracefs' profile --without tracefs --backend ftrace
timeout $((20 * SLOW)) "$SONDE" bt --without tracefs -e 't:sched:sched_switch { @ = count(); }' >"$TMP/out" 2>"$TMP/err"
equal script-with-tracepoint 1 $?
contains says-tracefs "$TMP/err" 'tracefs'
clean left
