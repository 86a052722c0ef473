# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# sonde export --remote-write: what Prometheus and VictoriaMetrics store is what a known workload did; receivers that are away,
# refuse, or never answer.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9449 ITS_PORT=19449
OWN=$TMP/own-remote
cp "$WORK" "$OWN"
for b in $ENGINES; do
	timeout 60 "$SONDE" trace --backend $b --duration 1 't:syscalls:sys_enter_getsid "%d", args->pid' >"$TMP/try.out" 2>"$TMP/try.err" &&
		served=$b && break
	absent tool-$b $b "$TMP/try.err" || fail tool-$b "$(head -n 1 "$TMP/try.err")"
done
[ -n "${served:-}" ] || exit

# sample NAME: its value in the page of now; 0: there is none.
sample() {
	page
	awk -v name="$1" '$1 == name { n = $2 } END { print n + 0 }' "$TMP/page"
}
at_least() { [ "$(sample "$1")" -ge "$2" ]; }
# begin ARGS...: starts the exporter, which sends to a port that nobody has yet, or somebody has.
begin() {
	exports --listen 127.0.0.1:$PORT "$@" \
		trace --backend $served -n own-remote 't:syscalls:sys_enter_getsid "%d", args->pid', \
		runqlat --backend $served -p $$
	wait_for 30 at_least 'sonde_tool_up{tool="trace"}' 1 && wait_for 30 at_least 'sonde_tool_up{tool="runqlat"}' 1
}
# answer QUERY: the value of the one series that it has.
answer() {
	query=$(printf '%s' "$1" | sed 's/%/%25/g; s/ /%20/g; s/{/%7B/g; s/}/%7D/g; s/"/%22/g; s/=/%3D/g; s/+/%2B/g; s/,/%2C/g')
	"$WORK" asks $ITS_PORT "GET /api/v1/query?query=$query HTTP/1.0$crlf$crlf" 2>/dev/null | sed -n 's/.*"value":\[[^"]*"\([^"]*\)"\].*/\1/p'
}
answers() { [ "$(answer "$1")" = "$2" ]; }
becomes() {
	wait_for 40 answers "$2" "$3"
	equal "$1" "$3" "$(answer "$2")"
}
# stores NAME: the receiver there has what the page has.
stores() {
	becomes "$1-events" 'sonde_trace_events_total{func="sys_enter_getsid",instance="one",site="a"}' 40
	becomes "$1-up" 'sum(sonde_tool_up)' 2
	becomes "$1-bound" 'count(sonde_runqlat_latency_seconds_bucket{le="1.024e-06"})' 1
	becomes "$1-whole" 'sonde_runqlat_latency_seconds_count - ignoring(le) sonde_runqlat_latency_seconds_bucket{le="+Inf"}' 0
	becomes "$1-sum" 'sonde_runqlat_latency_seconds_sum > bool 0' 1
	page
	becomes "$1-series" 'count({__name__=~"sonde_.*"})' "$(grep -c ^sonde_ "$TMP/page")"
}
URL=http://127.0.0.1:$ITS_PORT/api/v1/write
labels='--external-label instance=one --external-label site=a'

if command -v prometheus >/dev/null; then
	# It is away at first.
	if begin --remote-write $URL $labels; then
		wait_for 20 at_least sonde_remote_write_failed_total 1
		equal away 0 $?
		equal away-drops-none 0 "$(sample sonde_remote_write_dropped_total)"
		contains away-said "$TMP/e.err" "^sonde: export: $URL does not answer: "
		sender=$(for p in /proc/[0-9]*; do
			grep -qs '^Uid:.65534' "$p/status" && grep -qs "^PPid:.$pid_e\$" "$p/status" && ls -l "$p/fd" | grep -q e.err &&
				echo "${p#/proc/}"
		done)
		for p in $sender; do
			equal rights-$((rights = ${rights:-0} + 1)) 0000000000000000 "$(awk '/^CapPrm:/ { print $2 }' "/proc/$p/status")"
			grep -q '^Seccomp:' "/proc/$p/status" && equal seccomp-$rights 2 "$(awk '/^Seccomp:/ { print $2 }' "/proc/$p/status")"
		done
		equal senders 1 "$(echo $sender | wc -w)"
		echo 'global: {scrape_interval: 1h}' >"$TMP/prometheus.yml"
		prometheus --config.file="$TMP/prometheus.yml" --web.enable-remote-write-receiver --storage.tsdb.path="$TMP/tsdb" \
			--web.listen-address=127.0.0.1:$ITS_PORT >"$TMP/p.out" 2>"$TMP/p.err" </dev/null &
		pid_p=$! running="$running $!"
		"$OWN" calls 40 >"$TMP/calls"
		stores prometheus
		contains again-said "$TMP/e.err" 'takes metrics again$'
		expect sent [ "$(sample sonde_remote_write_sent_total)" -ge 2 ]
		equal none-dropped 0 "$(sample sonde_remote_write_dropped_total)"
		# One that is killed is started again.
		sent=$(sample sonde_remote_write_sent_total)
		kill -KILL $sender
		wait_for 40 at_least sonde_remote_write_sent_total $((sent + 1))
		equal killed-goes-on 0 $?
		stop e
		equal end 0 "$STATUS"
		# It has no such path.
		begin --remote-write http://127.0.0.1:$ITS_PORT/nosuch
		wait_for 30 at_least sonde_remote_write_dropped_total 1
		equal refused 0 $?
		equal refused-sends-none 0 "$(sample sonde_remote_write_sent_total)"
		contains refused-said "$TMP/e.err" 'answers status 404: the request is dropped$'
		stop e
	else
		fail begins "$(tail -n 5 "$TMP/e.err")"
	fi
	stop p TERM
else
	skip prometheus "Prometheus is not installed"
fi

victoria=$(command -v victoria-metrics || command -v victoria-metrics-prod)
if [ -n "$victoria" ]; then
	"$victoria" -storageDataPath="$TMP/victoria" -httpListenAddr=127.0.0.1:$ITS_PORT -search.latencyOffset=0s \
		>"$TMP/v.out" 2>"$TMP/v.err" </dev/null &
	pid_v=$! running="$running $!"
	begin --remote-write $URL $labels || fail victoria-begins "$(tail -n 5 "$TMP/e.err")"
	"$OWN" calls 40 >"$TMP/calls"
	stores victoria
	equal victoria-drops-none 0 "$(sample sonde_remote_write_dropped_total)"
	stop e
	stop v TERM
else
	skip victoria "VictoriaMetrics is not installed"
fi

wrong() {
	name=$1 pattern=$2
	shift 2
	timeout 20 "$SONDE" export "$@" opensnoop >"$TMP/wrong.out" 2>"$TMP/wrong.err"
	equal "wrong-$name-status" 2 $?
	contains "wrong-$name" "$TMP/wrong.err" "$pattern"
}
wrong tls 'no TLS of its own: use a proxy' --remote-write https://127.0.0.1:1/
wrong name 'takes http://ADDRESS:PORT/PATH' --remote-write http://localhost:1/
wrong label '--external-label takes' --external-label __name__=a
clean left
