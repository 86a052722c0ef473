# SPDX-License-Identifier: GPL-2.0
#
# Prometheus reads what sonde export gives, in the form that it asks for: what it answers then is what a known workload did.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9437 ITS_PORT=19437
# Its own name: others run the workload beside this test.
OWN=$TMP/own-prom
cp "$WORK" "$OWN"
if ! command -v prometheus >/dev/null; then
	skip prometheus "Prometheus is not installed"
	exit
fi
for b in $ENGINES; do
	timeout 60 "$SONDE" funclatency --backend $b --duration 1 t:syscalls:sys_enter_nanosleep --between >"$TMP/try.out" 2>"$TMP/try.err" &&
		served=$b && break
	absent tool-$b $b "$TMP/try.err" || fail tool-$b "$(head -n 1 "$TMP/try.err")"
done
[ -n "${served:-}" ] || exit

cat >"$TMP/prometheus.yml" <<EOF
global: {scrape_interval: 1s}
scrape_configs:
- job_name: sonde
  static_configs: [{targets: ['127.0.0.1:$PORT']}]
EOF
load w "$WORK" sleeps 300
exports --listen 127.0.0.1:$PORT \
	trace --backend $served -n own-prom 't:syscalls:sys_enter_getsid "%d", args->pid', \
	runqlat --backend $served -p "$(pid w)", cpudist --backend $served -p "$(pid w)", \
	funclatency --backend $served -u --between -p "$(pid w)" 't:syscalls:sys_enter_*nanosleep'
prometheus --config.file="$TMP/prometheus.yml" --storage.tsdb.path="$TMP/tsdb" --web.listen-address=127.0.0.1:$ITS_PORT \
	>"$TMP/p.out" 2>"$TMP/p.err" </dev/null &
pid_p=$! running="$running $!"

# answer QUERY: the value of the one series that it has.
answer() {
	query=$(printf '%s' "$1" | sed 's/%/%25/g; s/ /%20/g; s/{/%7B/g; s/}/%7D/g; s/"/%22/g; s/=/%3D/g; s/+/%2B/g; s/,/%2C/g; s/\[/%5B/g; s/\]/%5D/g')
	"$WORK" asks $ITS_PORT "$(printf 'GET /api/v1/query?query=%s HTTP/1.0\r\n\r\n_' "$query" | sed '$s/_$//')
" 2>/dev/null | sed -n 's/.*"value":\[[^"]*"\([^"]*\)"\].*/\1/p'
}
answers() { [ "$(answer "$1")" = "$2" ]; }
# becomes NAME QUERY VALUE
becomes() {
	wait_for 30 answers "$2" "$3"
	equal "$1" "$3" "$(answer "$2")"
}
becomes up 'up{job="sonde"}' 1
becomes tools 'sum(sonde_tool_up)' 4
"$OWN" calls 40 >"$TMP/calls"
go w
becomes events 'sonde_trace_events_total{func="sys_enter_getsid"}' 40
becomes count 'sonde_funclatency_interval_seconds_bucket{le="+Inf"}' 299
# From one sleep of a millisecond to the next.
becomes shorter 'sonde_funclatency_interval_seconds_bucket{le="0.000524288"}' 0
between quantile 512 "$(answer 'histogram_quantile(0.5, sonde_funclatency_interval_seconds_bucket) * 1e6' | sed 's/\..*//')" 8192
between mean 1000 "$(answer 'sonde_funclatency_interval_seconds_sum / sonde_funclatency_interval_seconds_count * 1e6' | sed 's/\..*//')" 20000
# Each sleep is followed by a time on a CPU, which is short: the sum is of nanoseconds, not of rounded microseconds.
between runs 300 "$(answer 'sonde_cpudist_time_seconds_count')" 20000
expect runs-exact awk -v sum="$(answer 'sonde_cpudist_time_seconds_sum * 1e9')" 'BEGIN { exit !(sum > 0 && sum % 1000) }'
between waits 300 "$(answer 'sonde_runqlat_latency_seconds_count')" 20000
becomes lost 'sum(sonde_lost_events_total)' 0
becomes limited 'count(sonde_series_limited_total)' ''
# It knows the types, as it took OpenMetrics.
"$WORK" asks $ITS_PORT "$(printf 'GET /api/v1/metadata?metric=sonde_funclatency_interval_seconds HTTP/1.0\r\n\r\n_' | sed '$s/_$//')
" >"$TMP/metadata" 2>/dev/null
contains type "$TMP/metadata" '"type":"histogram".*"unit":"seconds"'
stop p TERM
stop e
equal end 0 "$STATUS"
clean left
