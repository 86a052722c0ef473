# SPDX-License-Identifier: GPL-2.0
#
# packaging/grafana/sonde.json beside packaging/sonde.conf: Prometheus, which scrapes what the file exports, takes each query
# of the board, each metric in it is there, and each has an answer after a workload that has some of all.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9443 ITS_PORT=19443
PACKAGING=$LIVE/../../packaging
BOARD=$PACKAGING/grafana/sonde.json
[ -e "$PACKAGING/sonde.conf" ] || {
	skip packaging "packaging/ is not here"
	exit
}
for c in prometheus promtool jq; do
	command -v $c >/dev/null && continue
	skip board "$c is not installed"
	exit
done
group=
cleanup_hook() { [ -z "$group" ] || rmdir "$group"; }

# The queries, with what Grafana puts in; their metrics as exporters name them.
jq -r '[.. | .expr? // empty] | .[]' "$BOARD" | sed 's/\$__rate_interval/1m/g; s/\$instance/.*/g' >"$TMP/queries"
grep -o 'sonde_[a-z_]*' "$TMP/queries" | sort -u >"$TMP/names"
expect queries test "$(wc -l <"$TMP/queries")" -ge 20
jq -r '.panels[] | select(.type != "row" and (.targets | length) == 0) | .title' "$BOARD" >"$TMP/empty"
equal panels-with-queries 0 "$(wc -l <"$TMP/empty")"
equal panels-ids "$(jq '.panels | length' "$BOARD")" "$(jq '[.panels[].id] | unique | length' "$BOARD")"

# What the tools of the file can't do here, with their options.
sed '/^#/d; /^$/d' "$PACKAGING/sonde.conf" >"$TMP/lines"
while read -r tool rest; do
	# shellcheck disable=SC2086
	"$SONDE" $tool $rest --duration 1 >"$TMP/try.out" 2>"$TMP/try.err" </dev/null && continue
	absent tool-$tool bpf "$TMP/try.err" || fail tool-$tool "$(head -n 1 "$TMP/try.err")"
	echo "sonde_${tool}_"
done <"$TMP/lines" >"$TMP/down"
# Pages found need a probe that the kernel may not have; read ones are told now and then, where it does not say for what.
"$SONDE" cachestat --json 1 1 >"$TMP/cachestat" 2>"$TMP/try.err" </dev/null
grep -q '"missing":.*"cache\.access"' "$TMP/cachestat" && echo sonde_cachestat_hits >>"$TMP/down"
grep -q '"missing":.*"cache\.add' "$TMP/cachestat" && printf 'sonde_cachestat_hits\nsonde_cachestat_misses\n' >>"$TMP/down"

{
	echo "--listen 127.0.0.1:$PORT"
	cat "$PACKAGING/sonde.conf"
} >"$TMP/conf"
cat >"$TMP/prometheus.yml" <<EOF
global: {scrape_interval: 1s}
scrape_configs:
- job_name: sonde
  static_configs: [{targets: ['127.0.0.1:$PORT']}]
EOF
exports -f "$TMP/conf"
prometheus --config.file="$TMP/prometheus.yml" --storage.tsdb.path="$TMP/tsdb" --web.listen-address=127.0.0.1:$ITS_PORT \
	>"$TMP/p.out" 2>"$TMP/p.err" </dev/null &
pid_p=$! running="$running $!"
all_up() {
	page
	[ "$(grep -c '^sonde_tool_up.* 1$' "$TMP/page")" -ge $(($(wc -l <"$TMP/lines") - $(grep -c '_$' "$TMP/down"))) ]
}
wait_for 60 all_up
equal up 0 $?

# A connection, an attempt that nobody answers, one that is refused; files, memory, a victim.
"$WORK" sessions 3 7701 4 2000 2000 client >"$TMP/w1"
"$WORK" stalls 4 7702 1 >"$TMP/w2"
"$WORK" connects 2 7703 4 refused >"$TMP/w3"
dd if=/dev/zero of="$TMP/file" bs=1M count=8 conv=fsync 2>"$TMP/why"
cat "$TMP/file" "$TMP/none" >/dev/null 2>&1
echo 1 2>/dev/null >/proc/sys/vm/compact_memory
for root in $(awk '$3 == "cgroup2" || ($3 == "cgroup" && $4 ~ /memory/) { print $2 }' /proc/mounts); do
	mkdir "$root/sonde-test-$$" 2>/dev/null || continue
	group=$root/sonde-test-$$
	for file in memory.max memory.limit_in_bytes; do
		[ -e "$group/$file" ] && echo 20000000 >"$group/$file" || continue
		[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
		"$WORK" eats "$group/cgroup.procs" >"$TMP/w4" 2>&1 </dev/null
		break 2
	done
	rmdir "$group"
	group=
done
[ -n "$group" ] || echo sonde_oomkill_ >>"$TMP/down"

# has_all: what is not there is of a tool or a column that this machine lacks, or of one that nothing happened to.
has_all() {
	page
	cp "$TMP/down" "$TMP/without"
	grep -q '^sonde_events_total{tool="drsnoop"} 0$' "$TMP/page" && echo sonde_drsnoop_ >>"$TMP/without"
	sed -n 's/^\(sonde_[a-z_]*\).*/\1/p' "$TMP/page" | sort -u >"$TMP/families"
	comm -23 "$TMP/names" "$TMP/families" | grep -v -f "$TMP/without" >"$TMP/missing"
	[ ! -s "$TMP/missing" ]
}
echo '^$' >>"$TMP/down"
wait_for 40 has_all
same metrics-there /dev/null "$TMP/missing"
grep '^sonde' "$TMP/without" | sort -u | while read -r name; do
	skip "metrics-$name" "nothing here has them, so the board's names were not compared"
done

# answer QUERY: into $TMP/answer.
answer() { promtool query instant "http://127.0.0.1:$ITS_PORT" "$1" >"$TMP/answer" 2>"$TMP/answer.err"; }
has_answer() { answer "$1" && [ -s "$TMP/answer" ]; }
wait_for 30 has_answer 'rate(sonde_own_cpu_seconds_total[1m])'
n=0
while IFS= read -r query; do
	n=$((n + 1))
	case $query in
	*' == 0' | *' > 0')
		answer "$query"
		equal query-$n 0 $?
		continue
		;;
	esac
	if echo "$query" | grep -q -f "$TMP/without"; then
		answer "$query"
		equal query-$n 0 $?
	elif wait_for 20 has_answer "$query"; then
		pass query-$n
	else
		fail query-$n "no answer: $query $(cat "$TMP/answer.err")"
	fi
done <"$TMP/queries"
answer 'rate(sonde_own_cpu_seconds_total[1m'
equal wrong-query 1 $?
stop p TERM
stop e
equal end 0 "$STATUS"
clean left
