# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# sonde convert: stacks of samples as `profile` has them; switches, wakeups and other tracepoints as trace_processor
# finds them in a trace for Perfetto.
. "${0%/*}/../lib.sh"

recording=$TMP/recording
if ! "$SONDE" record -o "$recording" -e sched:sched_switch,sched:sched_waking,sched:sched_process_exec -d 1 \
	>"$TMP/out" 2>"$TMP/err"; then
	skip record "$(head -n 1 "$TMP/err")"
	exit 0
fi
"$SONDE" info "$recording" >"$TMP/info"
# counted EVENT: how many the recording has.
counted() { awk -v event="$1" '$2 == event { print $1 }' "$TMP/info"; }

expect perfetto "$SONDE" convert "$recording" --to perfetto -o "$TMP/trace"
"$SONDE" convert "$recording" --to perfetto >"$TMP/piped" 2>"$TMP/err"
expect piped cmp "$TMP/trace" "$TMP/piped"
if ! command -v node >/dev/null || ! processor=$("$LIVE/../perfetto.sh" "${BUILD:-$LIVE/../../build}/tests/perfetto" 2>"$TMP/why"); then
	skip trace_processor "there is no node, or: $(cat "$TMP/why" 2>/dev/null)"
else
	cat >"$TMP/sql" <<-'SQL'
	select name, value from stats where severity <> 'info' and value <> 0 and name <> 'mismatched_sched_switch_tids'
	select count(*) as n from sched
	select count(*) as n from slice where name = 'sched_process_exec' and dur = 0
	select count(*) > 0 as n from thread_state where waker_utid is not null
	select count(*) > 0 as n from sched where end_state = 'S'
	SQL
	node "$LIVE/perfetto/query.mjs" "$(realpath "$processor")" "$TMP/trace" <"$TMP/sql" >"$TMP/answers" 2>"$TMP/why" ||
		notes "$TMP/why"
	answer() { sed -n "$1p" "$TMP/answers" | sed 's/[^0-9]//g'; }
	equal errors '[]' "$(head -n 1 "$TMP/answers")"
	equal switches "$(counted sched:sched_switch)" "$(answer 2)"
	equal moments "$(counted sched:sched_process_exec)" "$(answer 3)"
	equal wakers 1 "$(answer 4)"
	equal states 1 "$(answer 5)"
fi

# Samples, and what has none.
if "$SONDE" record -o "$TMP/samples" -F 99 -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' >"$TMP/out" 2>"$TMP/err"; then
	"$SONDE" profile --folded --input "$TMP/samples" >"$TMP/wanted" 2>/dev/null
	expect folded "$SONDE" convert "$TMP/samples" --to folded -o "$TMP/got"
	same folded-same "$TMP/wanted" "$TMP/got"
	"$SONDE" profile --input "$TMP/samples" --speedscope "$TMP/wanted" >"$TMP/out" 2>/dev/null
	expect speedscope "$SONDE" convert "$TMP/samples" --to speedscope -o "$TMP/got"
	same speedscope-same "$TMP/wanted" "$TMP/got"
	expect pprof "$SONDE" convert "$TMP/samples" --to pprof -o "$TMP/got"
	equal pprof-gzip 1f8b "$(head -c 2 "$TMP/got" | od -An -tx1 | tr -d ' \n')"
	"$SONDE" convert "$TMP/samples" --to perfetto -o "$TMP/got" 2>"$TMP/err"
	contains left-out "$TMP/err" "^sonde: convert: [0-9]+ samples are left out: take --to pprof"
	contains no-switch "$TMP/err" "has no sched:sched_switch: the trace shows no CPUs"
else
	skip samples "$(head -n 1 "$TMP/err")"
fi
"$SONDE" convert "$recording" --to pprof -o "$TMP/got" >"$TMP/out" 2>"$TMP/err"
equal no-samples 1 $?
"$SONDE" convert "$recording" --to perfetto -o /dev/full 2>"$TMP/err"
equal full-status 1 $?
contains full "$TMP/err" "can't write all into '/dev/full'"
"$SONDE" convert "$recording" --to nothing 2>"$TMP/err"
equal misused 2 $?
head -c $(($(wc -c <"$recording") - 3000)) "$recording" >"$TMP/cut"
"$SONDE" convert "$TMP/cut" --to perfetto -o "$TMP/got" >"$TMP/out" 2>"$TMP/err"
contains cut "$TMP/err" "the end of .*/cut is missing"
