# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# sonde convert: stacks of samples as `profile` has them; samples, switches, wakeups and other tracepoints as
# trace_processor finds them in a trace for Perfetto and in JSON; all as text, as perf itself prints it; names of
# functions, as perf takes them where the program is not.
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
	expect chrome "$SONDE" convert "$recording" --to chrome -o "$TMP/trace.json"
	cat >"$TMP/sql" <<-'SQL'
	select name, value from stats where severity <> 'info' and value <> 0
	select count(*) as n from slice where name = 'sched_process_exec'
	select count(*) > 0 as n from slice where dur > 0 and category = 'sched'
	SQL
	node "$LIVE/perfetto/query.mjs" "$(realpath "$processor")" "$TMP/trace.json" <"$TMP/sql" >"$TMP/answers" 2>"$TMP/why" ||
		notes "$TMP/why"
	equal chrome-errors '[]' "$(head -n 1 "$TMP/answers")"
	equal chrome-moments "$(counted sched:sched_process_exec)" "$(answer 2)"
	equal chrome-spans 1 "$(answer 3)"
fi

# agree NAME FILE: the text is perf's, but for what convert's page says: names of functions, event modifiers, pointers.
agree() {
	expect "$1" "$SONDE" convert "$2" --to perf-script -o "$TMP/script"
	# perf writes names of tasks as they are; other tests have some with tabs.
	perf script -i "$2" 2>/dev/null | sed -E 's/ +[0-9]+ cpu-clock:[a-zA-Z]*:/ cpu-clock:/' | heads |
		sed 's/\t/\\t/g' >"$TMP/wanted"
	# perf leaves out all of a stack with an address that can't be one.
	heads <"$TMP/script" | awk '{ key = $0; sub(/ [0-9]*$/, "", key) } NR == FNR { n[key] = $NF; next }
		n[key] == 0 { $0 = key " 0" } { print }' "$TMP/wanted" - >"$TMP/got"
	same "$1-same" "$TMP/wanted" "$TMP/got"
}
# Lines of events, and how many functions each has. perf may have no name and no number of a thread that ended: the
# fields of its last switch have them.
heads() {
	sed -E 's/^.*(\[[0-9]+\] +[0-9.]+: +sched:sched_switch:)/\1/; s/^ *:-1 +-1 /:4294967295 4294967295 /' |
	awk '/^\t/ { n++; next } /./ { if (line) print line, n + 0; gsub(/ +/, " "); sub(/^ /, ""); sub(/ $/, ""); line = $0; n = 0 }
		END { print line, n + 0 }' | sort
}
if command -v perf >/dev/null; then
	agree text "$recording"
	"$SONDE" record -o "$TMP/stacks" -g -e sched:sched_switch -d 1 >"$TMP/out" 2>&1 && agree text-stacks "$TMP/stacks"
else
	skip text "there is no perf"
fi
"$SONDE" convert "$recording" --to perf-script 2>"$TMP/err" | head -n 1 >"$TMP/out"
equal closed-pipe 1 "$(wc -l <"$TMP/out")"
equal closed-quiet 0 "$(wc -c <"$TMP/err")"

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
	"$SONDE" convert "$TMP/samples" --to perfetto -o "$TMP/got.pf" 2>"$TMP/err"
	"$SONDE" convert "$TMP/samples" --to chrome -o "$TMP/got.json" 2>"$TMP/err"
	contains left-out "$TMP/err" "^sonde: convert: [0-9]+ samples are left out: take --to perfetto"
	"$SONDE" convert "$TMP/samples" --to perfetto -o "$TMP/got.pf" 2>"$TMP/err"
	contains no-switch "$TMP/err" "has no sched:sched_switch: the trace shows no CPUs"
	if command -v perf >/dev/null; then
		agree samples-text "$TMP/samples"
	fi
	if [ -n "$processor" ]; then
		cat >"$TMP/sql" <<-'SQL'
		select name, value from stats where severity <> 'info' and value <> 0
		select count(*) as n from perf_sample where callsite_id is not null and cpu is not null
		select count(*) > 0 as n from perf_sample s join stack_profile_callsite c on c.id = s.callsite_id join stack_profile_frame f on f.id = c.frame_id where f.name <> ''
		SQL
		node "$LIVE/perfetto/query.mjs" "$(realpath "$processor")" "$TMP/got.pf" <"$TMP/sql" >"$TMP/answers" 2>"$TMP/why" ||
			notes "$TMP/why"
		equal sample-errors '[]' "$(head -n 1 "$TMP/answers")"
		equal samples "$(grep -c '^[^	]' "$TMP/script")" "$(answer 2)"
		equal sample-names 1 "$(answer 3)"
	fi
else
	skip samples "$(head -n 1 "$TMP/err")"
fi
# Names of a program that is not there any more. perf must not find the file in a cache of its own, either.
# named DIR: the lines of the program's function, by the names of DIR alone.
named() { perf --buildid-dir "$1" script -i "$TMP/gone" 2>/dev/null | grep -c 'chain_often+0x[0-9a-f]* (.*/goes)'; }
cp "$WORK" "$TMP/goes"
if ! command -v perf >/dev/null; then
	skip names "there is no perf"
elif ! "$SONDE" record -o "$TMP/gone" -F 499 -- "$TMP/goes" chain 500 >"$TMP/out" 2>"$TMP/err"; then
	skip names "$(head -n 1 "$TMP/err")"
else
	rm "$TMP/goes"
	mkdir "$TMP/empty" "$TMP/cache"
	expect names "$SONDE" convert "$TMP/gone" --to debug-tar -o "$TMP/names.tar"
	"$SONDE" convert "$TMP/gone" --to debug-tar 2>"$TMP/err" | cmp - "$TMP/names.tar" && pass names-piped || fail names-piped
	expect names-unpacked tar xf "$TMP/names.tar" -C "$TMP/cache"
	equal names-without 0 "$(named "$TMP/empty")"
	ok=$(named "$TMP/cache")
	[ "$ok" -gt 0 ] && pass names-with || fail names-with "perf names no function of $TMP/goes"
	# The same of a kernel that is not here: as if it had another build id.
	if command -v python3 >/dev/null; then
		kernel=$(perf buildid-list -i "$TMP/gone" 2>/dev/null | awk '$2 == "[kernel.kallsyms]" { print $1 }')
		functions() { perf --buildid-dir "$1" script -i "$2" -F ip,sym 2>/dev/null | grep -c '^	 *ffff.* [a-z_].*'; }
		python3 - "$TMP/gone" "$kernel" "$TMP/foreign" <<-'PY'
		import sys
		data = open(sys.argv[1], "rb").read()
		open(sys.argv[3], "wb").write(data.replace(bytes.fromhex(sys.argv[2]), b"\xaa" * 20))
		PY
		mkdir "$TMP/kernels"
		"$SONDE" convert "$TMP/foreign" --to debug-tar 2>"$TMP/err" | tar xf - -C "$TMP/kernels"
		equal kernel-without 0 "$(functions "$TMP/empty" "$TMP/foreign")"
		ok=$(functions "$TMP/kernels" "$TMP/foreign")
		[ "$ok" -gt 0 ] && pass kernel-with || fail kernel-with "perf names no function of the kernel"
	else
		skip kernel-with "there is no python3"
	fi
	"$SONDE" convert "$TMP/gone" --to debug-tar -o /dev/full 2>"$TMP/err"
	equal names-full 1 $?
fi
"$SONDE" convert "$recording" --to debug-tar -o "$TMP/got" 2>"$TMP/err"
equal no-names 1 $?
contains no-names-says "$TMP/err" "^sonde: convert: the recording has no names of functions"
"$SONDE" convert "$recording" --to pprof -o "$TMP/got" >"$TMP/out" 2>"$TMP/err"
equal no-samples 1 $?
"$SONDE" convert "$recording" --to perfetto -o /dev/full 2>"$TMP/err"
equal full-status 1 $?
contains full "$TMP/err" "can't write all into '/dev/full'"
"$SONDE" convert "$recording" --to chrome 2>"$TMP/err" >/dev/full
equal full-rows-status 1 $?
contains full-rows "$TMP/err" "^sonde: convert: can't write the output: No space left on device"
"$SONDE" convert "$recording" --to nothing 2>"$TMP/err"
equal misused 2 $?
contains misused-says "$TMP/err" "^sonde: convert: there is no format nothing"
"$SONDE" convert "$recording" --to perf-script --kallsyms /nowhere 2>"$TMP/err"
equal nowhere 1 $?
contains nowhere-says "$TMP/err" "can't read /nowhere: No such file"
"$SONDE" convert "$recording" --to debug-tar --symfs / 2>"$TMP/err"
equal no-names 1 $?
contains no-names-says "$TMP/err" "^sonde: convert: --to debug-tar has no names from --symfs"
head -c $(($(wc -c <"$recording") - 3000)) "$recording" >"$TMP/cut"
"$SONDE" convert "$TMP/cut" --to perfetto -o "$TMP/got" >"$TMP/out" 2>"$TMP/err"
contains cut "$TMP/err" "the end of .*/cut is missing"
