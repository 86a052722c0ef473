# SPDX-License-Identifier: GPL-2.0
#
# sonde export in protobuf, which a scraper has to ask for: the samples of the text, and native histograms whose buckets have
# the very sizes of a known workload. Prometheus stores them.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9448 ITS_PORT=19448
OWN=$TMP/own-protobuf
cp "$WORK" "$OWN"
disk sizes || exit 0
for b in $ENGINES; do
	timeout 60 "$SONDE" bitesize --backend $b --duration 1 -d "${DISK#/dev/}" >"$TMP/try.out" 2>"$TMP/try.err" && served=$b && break
	absent tool-$b $b "$TMP/try.err" || fail tool-$b "$(head -n 1 "$TMP/try.err")"
done
[ -n "${served:-}" ] || exit

# ask NAME TYPE: the answer goes to $TMP/NAME.
ask() { "$WORK" asks $PORT "GET /metrics HTTP/1.0${crlf}Accept: $2$crlf$crlf" >"$TMP/$1" 2>"$TMP/$1.why"; }
load w "$WORK" -c bites block write "$DISK" 60
load r "$WORK" -c bites block read "$DISK" 40 65536
load f "$WORK" -c bites block write "$DISK" 7 512
exports --listen 127.0.0.1:$PORT bitesize --backend $served -d "${DISK#/dev/}", \
	trace --backend $served -n own-protobuf 't:syscalls:sys_enter_getsid "%d", args->pid', \
	cpudist --backend $served -p $$
wait_for 30 values_are 'sonde_tool_up{tool="bitesize"} 1' 'sonde_tool_up{tool="trace"} 1' 'sonde_tool_up{tool="cpudist"} 1'
if ! equal up 0 $?; then
	notes "$TMP/e.err"
	exit
fi
go w r f
"$OWN" calls 5 >"$TMP/calls"
# A size that is a bound is the last one of its bucket.
wait_for 20 values_are 'sonde_bitesize_bytes_bucket{le="256.0"} 0' 'sonde_bitesize_bytes_bucket{le="512.0"} 7' \
	'sonde_bitesize_bytes_bucket{le="2048.0"} 7' 'sonde_bitesize_bytes_bucket{le="4096.0"} 67' \
	'sonde_bitesize_bytes_bucket{le="32768.0"} 67' 'sonde_bitesize_bytes_bucket{le="65536.0"} 107' \
	'sonde_bitesize_bytes_bucket{le="+Inf"} 107' 'sonde_bitesize_bytes_count 107' \
	"sonde_bitesize_bytes_sum $((60 * 4096 + 40 * 65536 + 7 * 512))" 'sonde_trace_events_total{func="sys_enter_getsid"} 5'
equal values 0 $? || { grep -e ^sonde_bitesize -e ^sonde_trace "$TMP/text" >"$TMP/values"; notes "$TMP/values"; }

PROTOBUF='application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited'
ask protobuf "$PROTOBUF;q=0.9,text/plain;q=0.1"
tr -d '\r' <"$TMP/protobuf" >"$TMP/protobuf.head"
contains type "$TMP/protobuf.head" '^Content-Type: application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited$'
ask rather-text "$PROTOBUF;q=0.1,text/plain;q=0.9"
contains rather-text "$TMP/rather-text" '^Content-Type: text/plain;'
python=$(for p in python3 /usr/bin/python3; do "$p" -c 'import struct' 2>/dev/null && echo "$p" && break; done)
samples() { tr -d '\r' <"$1" | grep -a '^sonde_' | grep -v -e own_cpu -e sonde_events -e ' native ' | sort; }
if [ -n "$python" ]; then
	# cpudist goes on: both are asked for until nothing came between them.
	same_page() {
		ask text text/plain
		ask protobuf "$PROTOBUF"
		"$python" "$LIVE/commands/export_protobuf.py" "$TMP/protobuf" >"$TMP/decoded" 2>"$TMP/decoded.err" || return 1
		samples "$TMP/text" >"$TMP/wanted"
		samples "$TMP/decoded" >"$TMP/got"
		cmp -s "$TMP/wanted" "$TMP/got"
	}
	wait_for 20 same_page
	same same-as-text "$TMP/wanted" "$TMP/got"
	equal decoded 0 "$(wc -l <"$TMP/decoded.err")"
	# 2^9, 2^12 and 2^16; times have no buckets that would be theirs.
	equal native "sonde_bitesize_bytes native 0 1 0 9 7 0 0 60 0 0 0 40" "$(grep ' native ' "$TMP/decoded")"
else
	skip same-as-text "no python3 is here"
fi

if ! command -v prometheus >/dev/null; then
	skip prometheus "Prometheus is not installed"
	stop e
	exit
fi
cat >"$TMP/prometheus.yml" <<EOF2
global: {scrape_interval: 1s}
scrape_configs:
- job_name: sonde
  static_configs: [{targets: ['127.0.0.1:$PORT']}]
EOF2
prometheus --config.file="$TMP/prometheus.yml" --enable-feature=native-histograms --storage.tsdb.path="$TMP/tsdb" \
	--web.listen-address=127.0.0.1:$ITS_PORT >"$TMP/p.out" 2>"$TMP/p.err" </dev/null &
pid_p=$! running="$running $!"
# answer QUERY: the value of the one series that it has.
answer() {
	query=$(printf '%s' "$1" | sed 's/%/%25/g; s/ /%20/g; s/{/%7B/g; s/}/%7D/g; s/"/%22/g; s/=/%3D/g; s/+/%2B/g; s/,/%2C/g')
	"$WORK" asks $ITS_PORT "GET /api/v1/query?query=$query HTTP/1.0$crlf$crlf" 2>/dev/null | sed -n 's/.*"value":\[[^"]*"\([^"]*\)"\].*/\1/p'
}
answers() { [ "$(answer "$1")" = "$2" ]; }
becomes() {
	wait_for 30 answers "$2" "$3"
	equal "$1" "$3" "$(answer "$2")"
}
becomes stored-counter 'sonde_trace_events_total{func="sys_enter_getsid"}' 5
becomes stored-gauge 'sonde_tool_up{tool="bitesize"}' 1
becomes stored-count 'histogram_count(sonde_bitesize_bytes)' 107
becomes stored-sum 'histogram_sum(sonde_bitesize_bytes)' $((60 * 4096 + 40 * 65536 + 7 * 512))
becomes stored-small 'round(107 * histogram_fraction(0, 512, sonde_bitesize_bytes))' 7
becomes stored-pages 'round(107 * histogram_fraction(2048, 4096, sonde_bitesize_bytes))' 60
becomes stored-large 'round(107 * histogram_fraction(32768, 65536, sonde_bitesize_bytes))' 40
# What is not native stays classic, with the bounds that the text has.
becomes stored-classic 'sum(sonde_cpudist_time_seconds_bucket{le="+Inf"}) - sum(sonde_cpudist_time_seconds_count)' 0
becomes stored-bounds 'count(sonde_cpudist_time_seconds_bucket)' "$(grep -a -c '^sonde_cpudist_time_seconds_bucket' "$TMP/text")"
becomes stored-bound 'count(sonde_cpudist_time_seconds_bucket{le="1.024e-06"})' 1
stop p TERM
stop e
equal end 0 "$STATUS"
clean left
