# SPDX-License-Identifier: GPL-2.0
#
# sonde export: counters and histograms of a known workload by HTTP and as a file, on each engine; what other clients ask;
# processes that are killed; the end.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9436
# Its own name: others run the workload beside this test.
OWN=$TMP/own-work
cp "$WORK" "$OWN"
mkdir "$TMP/folder"

# ask NAME PATH [HEADER]: the answer goes to $TMP/NAME.
ask() {
	"$WORK" asks $PORT "GET $2 HTTP/1.1${crlf}Host: localhost$crlf${3:+$3$crlf}Connection: close$crlf$crlf" 2>"$TMP/$1.why" |
		tr -d '\r' >"$TMP/$1"
}
# value PATTERN: the value of the sample that begins so, in the page of now.
value() {
	page
	awk -v name="$1" 'index($0, name) == 1 { print $NF; n++ } END { if (!n) print "none" }' "$TMP/page"
}
# begin WORDS...: starts the exporter; its tools are those of $tools.
begin() {
	exports "$@"
	wait_for 30 all_up
}
all_up() {
	page
	for t in $tools; do
		grep -qxF "sonde_tool_up{tool=\"$t\"} 1" "$TMP/page" || return 1
	done
}
# children NAME: pids of the exporter's processes.
children() {
	for p in /proc/[0-9]*; do
		read -r stat 2>/dev/null <"$p/stat" || continue
		set -- ${stat##*) }
		[ "$2" != "$pid_e" ] || [ "$1" = Z ] || echo "${p#/proc/}"
	done
}
# uid_of PID: of its real user.
uid_of() { awk '/^Uid:/ { print $2 }' "/proc/$1/status"; }

# The same numbers on each engine: events with a label, counts, times with their exact number.
for b in $ENGINES; do
	if ! timeout 60 "$SONDE" funccount --backend $b --duration 1 "$OWN:job_calls" >"$TMP/try.out" 2>"$TMP/try.err" ||
		! timeout 60 "$SONDE" trace --backend $b --duration 1 't:syscalls:sys_enter_getsid "%d", args->pid' >"$TMP/try.out" 2>"$TMP/try.err"; then
		absent values-$b $b "$TMP/try.err" || fail values-$b "$(head -n 1 "$TMP/try.err")"
		continue
	fi
	tools="trace funccount funclatency" served=$b
	if ! begin --listen 127.0.0.1:$PORT --label comm trace --backend $b -n own-work 't:syscalls:sys_enter_getsid "%d", args->pid', \
		funccount --backend $b "$OWN:job_calls", funclatency --backend $b "$OWN:job_calls"; then
		fail begins-$b "$(tail -n 5 "$TMP/e.err")"
		stop e
		continue
	fi
	pass begins-$b
	"$OWN" calls 3 >"$TMP/calls"
	"$OWN" calls 4 >"$TMP/calls"
	if wait_for 20 values_are 'sonde_trace_events_total{comm="own-work",func="sys_enter_getsid"} 7' \
		'sonde_funccount_total{func="job_calls"} 2' 'sonde_funclatency_seconds_bucket{le="+Inf"} 2'; then
		pass values-$b
	else
		fail values-$b "$(grep -e ^sonde_trace -e ^sonde_funccount -e Inf "$TMP/page")"
	fi
	values_are "sonde_lost_events_total{tool=\"trace\"} 0" "sonde_missed_events_total{tool=\"trace\"} 0"
	equal lost-$b 0 $?
	stop e
	equal ends-$b 0 "$STATUS"
done
clean left-by-tools
if [ -z "${served:-}" ]; then
	skip clients "no engine can trace a tracepoint and a function of a program here"
	exit
fi

# What clients ask. The page has the same samples in both forms, by each way.
tools="trace exitsnoop"
begin --listen 127.0.0.1:$PORT --listen "unix:$TMP/socket" --textfile "$TMP/folder" \
	trace --backend $served -n own-work 't:syscalls:sys_enter_getsid "%d", args->pid', exitsnoop --name own-work
"$OWN" calls 5 >"$TMP/calls"
wait_for 20 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 5'
equal clients-value 0 $?
samples() { sed -n '/^sonde_/p' "$1" | grep -v -e own_cpu -e sonde_events -e exitsnoop | sort; }
ask text /metrics
ask open /metrics 'Accept: application/openmetrics-text;version=1.0.0;q=0.9,text/plain;q=0.1'
contains type-text "$TMP/text" '^Content-Type: text/plain; version=0.0.4; charset=utf-8$'
contains type-open "$TMP/open" '^Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8$'
equal end-open '# EOF' "$(tail -n 1 "$TMP/open")"
samples "$TMP/text" >"$TMP/wanted"
samples "$TMP/open" >"$TMP/got"
same same-open "$TMP/wanted" "$TMP/got"
"$WORK" asks "$TMP/socket" "GET /metrics HTTP/1.0$crlf$crlf" | tr -d '\r' >"$TMP/unix"
samples "$TMP/unix" >"$TMP/got"
same same-unix "$TMP/wanted" "$TMP/got"
wait_for 40 grep -q '^sonde_trace_events_total' "$TMP/folder/sonde.prom"
samples "$TMP/folder/sonde.prom" >"$TMP/got"
same same-textfile "$TMP/wanted" "$TMP/got"
equal textfile-mode 644 "$(stat -c %a "$TMP/folder/sonde.prom")"
status_of() {
	printf '%s' "$2" >"$TMP/asked"
	equal "status-$1" "$3" "$("$WORK" asks $PORT "$2" | sed -n '1s/^HTTP.1.1 \([0-9]*\) .*/\1/p')"
}
status_of root "GET / HTTP/1.0$crlf$crlf" 200
status_of query "GET /metrics?x=1 HTTP/1.0$crlf$crlf" 200
status_of elsewhere "GET /debug HTTP/1.0$crlf$crlf" 404
status_of post "POST /metrics HTTP/1.0$crlf$crlf" 405
status_of body "GET /metrics HTTP/1.0${crlf}Content-Length: 9$crlf$crlf" 413
status_of foreign-host "GET /metrics HTTP/1.1${crlf}Host: example.com$crlf$crlf" 403
status_of no-host "GET /metrics HTTP/1.1$crlf$crlf" 400
status_of no-http "hello$crlf$crlf" 400
status_of long "GET /$(printf '%08192d' 0) HTTP/1.0$crlf$crlf" 431
equal head 0 "$("$WORK" asks $PORT "HEAD /metrics HTTP/1.0$crlf$crlf" | grep -c '^sonde_')"
both="GET / HTTP/1.1${crlf}Host: localhost$crlf$crlf"
equal pipelined 3 "$("$WORK" asks $PORT "$both$both$both" | grep -c '^HTTP/1.1 200')"

# Many that say half of something, and keep their connection: whoever asks gets an answer within their five seconds.
for i in $(seq 40); do
	"$WORK" asks $PORT "GET /metr" >/dev/null 2>&1 &
	running="$running $!"
done
wait_for 10 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 5'
equal among-slow-ones 0 $?

# Ten thousand of them, 500 at a time: no memory and no descriptor stays with the server, and who asks gets an answer.
for p in $(children); do [ "$(uid_of "$p")" = 0 ] || server=$p; done
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$server/status"; }
before=$(resident)
load w "$WORK" halves 10000 $PORT
: >"$TMP/w.go"
for i in 1 2; do
	wait_for 20 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 5'
	equal among-thousands-$i 0 $?
done
go w
between thousands 1 "$(said w 2)" 10000
between thousands-memory 1 "$(resident)" $((before + 300))
between thousands-descriptors 1 "$(ls "/proc/$server/fd" | wc -l)" 64

# Strict readers, where there are some.
python=$(for p in /usr/bin/python3 python3; do "$p" -c 'import prometheus_client' 2>/dev/null && echo "$p" && break; done)
if [ -n "$python" ]; then
	sed '1,/^$/d' "$TMP/open" >"$TMP/open.body"
	expect strict-open "$python" -c 'import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read
assert len(list(read(open(sys.argv[1]).read()))) > 5' "$TMP/open.body"
else
	skip strict-open "no python3-prometheus-client is here"
fi
if command -v promtool >/dev/null; then
	sed '1,/^$/d' "$TMP/text" >"$TMP/text.body"
	promtool check metrics <"$TMP/text.body" >"$TMP/promtool" 2>&1
	equal promtool 0 "$(wc -l <"$TMP/promtool")"
else
	skip promtool "Prometheus is not installed"
fi

# The half that speaks to clients has no rights.
server=
for p in $(children); do
	[ "$(uid_of "$p")" = 0 ] || server=$p
done
if [ -n "$server" ]; then
	equal server-user 65534 "$(uid_of "$server")"
	equal server-capabilities 0000000000000000 "$(awk '/^CapPrm:/ { print $2 }' "/proc/$server/status")"
	grep -q '^Seccomp:' "/proc/$server/status" && equal server-seccomp 2 "$(awk '/^Seccomp:/ { print $2 }' "/proc/$server/status")"
	ls -l "/proc/$server/fd" 2>/dev/null | grep -v -e ' socket:' -e /dev/null -e total >"$TMP/files"
	equal server-files 0 "$(wc -l <"$TMP/files")"
else
	fail server-user "no process of the exporter is nobody's"
fi

# A tool that is killed is down, and then up again; what was counted stays. So does the exporter when its server is killed.
for p in $(children); do
	[ "$p" = "$server" ] || kill -KILL "$p"
done
wait_for 10 values_are 'sonde_tool_up{tool="trace"} 0'
equal killed-is-down 0 $?
wait_for 40 all_up
equal killed-is-up 0 $?
"$OWN" calls 2 >"$TMP/calls"
wait_for 20 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 7'
equal killed-goes-on 0 $?
kill -KILL "$server"
wait_for 40 all_up
equal server-again 0 $?
"$OWN" calls 1 >"$TMP/calls"
wait_for 20 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 1'
equal server-counts-anew 0 $?

# Ctrl-C takes all away; if it is killed, its processes end as well.
stop e
equal end 0 "$STATUS"
equal end-quiet 0 "$(grep -c -v -e '^sonde: export: ' -e ' are missing: ' "$TMP/e.err")"
equal end-textfile 0 "$(ls -A "$TMP/folder" | wc -l)"
equal end-socket 0 "$(ls "$TMP" | grep -c '^socket$')"
begin --listen 127.0.0.1:$PORT trace --backend $served -n own-work 't:syscalls:sys_enter_getsid "%d", args->pid', exitsnoop --name own-work
all=$(children)
stop e KILL
nobody_left() {
	for p in $all; do
		[ ! -d "/proc/$p" ] || grep -q '^State:.Z' "/proc/$p/status" || return 1
	done
}
wait_for 20 nobody_left
equal killed-leaves-nobody 0 $?

# More values of a label than a metric has series, some of them made to hurt: the page stays valid, and no event is missing.
tools=opensnoop
if begin --listen 127.0.0.1:$PORT --label path opensnoop -p $$; then
	{
		for i in $(seq 700); do
			true <"$TMP/none-$i"
		done
		true <"$TMP/$(printf 'quote\"back\\slash\nline\033[31m\377')"
	} 2>"$TMP/none.err"
	opens() { awk '/^sonde_opensnoop_events_total.*(none-|quote|_others)/ { n += $NF } END { print n + 0 }' "$TMP/page"; }
	has_opens() { page && [ "$(opens)" -ge "$1" ]; }
	wait_for 20 has_opens 701
	# What this shell itself opened while it asked is in the last row.
	between many-events 701 "$(opens)" 760
	equal many-series 501 "$(grep -c '^sonde_opensnoop_events_total' "$TMP/page")"
	contains many-limited "$TMP/page" '^sonde_series_limited_total{family="sonde_opensnoop_events"} [1-9]'
	equal many-lines 0 "$(sed '1,/^$/d' "$TMP/page" | grep -c -v -E '^(# (TYPE|HELP) |[a-z_]+(\{([a-z_]+="([^"\\]|\\.)*",?)+\})? [-+0-9.e]+$)')"
	stop e
else
	absent many-series bpf "$TMP/e.err" || absent many-series perf "$TMP/e.err" || fail many-series "$(tail -n 3 "$TMP/e.err")"
	stop e
fi

# Whose it was: the container, and the path of its group.
tools=opensnoop group=$(cgroup2)/lxc.payload.sonde-$$
cleanup_hook() { rmdir "$group" 2>/dev/null; }
if ! has bpf-cgroup || ! mkdir "$group" 2>"$TMP/why"; then
	skip container "BPF programs of this kernel do not tell the group, or there are no groups of version 2"
elif begin --listen 127.0.0.1:$PORT opensnoop --backend bpf -K -n work; then
	load in "$OWN" opens 1 "$TMP/folder"
	into "$group" in
	go in
	labels="container=\"sonde-$$\",cgroup=\"/lxc.payload.sonde-$$\""
	wait_for 20 values_are "sonde_opensnoop_events_total{$labels,errno=\"0\"} 8" "sonde_opensnoop_events_total{$labels,errno=\"2\"} 4"
	equal container 0 $?
	stop e
else
	absent container bpf "$TMP/e.err" || fail container "$(tail -n 3 "$TMP/e.err")"
	stop e
fi

# Mistakes are told before anything starts.
wrong() {
	name=$1 pattern=$2
	shift 2
	timeout 20 "$SONDE" export "$@" >"$TMP/wrong.out" 2>"$TMP/wrong.err"
	equal "wrong-$name-status" 2 $?
	contains "wrong-$name" "$TMP/wrong.err" "$pattern"
}
wrong nothing 'it needs a TOOL'
wrong tool 'there is no tool nosuch' nosuch
wrong option 'there is no option --nosuch' opensnoop --nosuch
wrong stacks 'stacks are no metrics' profile
wrong script 'counts all' bt -l 't:sched:*'
wrong list 'it is a list' tplist
wrong stat 'A script counts the same events' stat -a
wrong cumulative 'counts all' argdist -c -C 't:syscalls:sys_enter_getsid()'
wrong twice 'is there twice' opensnoop, opensnoop
wrong limited 'counts all' syscount --top 3
wrong end 'runs for ever' opensnoop --duration 3
wrong address '--listen takes' --listen localhost:1 opensnoop
printf 'opensnoop -x\n# a comment\n\nsyscount --nosuch\n' >"$TMP/conf"
wrong file "line 4 of $TMP/conf" -f "$TMP/conf"
clean left
