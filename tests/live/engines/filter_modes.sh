# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# Filters in all modes: beside two programs that do the same, a tool that is asked for one shows nothing of the other, or
# refuses to be asked so. A sample; with LONG=1 all tools with each option that takes no value.
# (The unit tests run each row of each tool's table once more with each filter.)
. "${0%/*}/../lib.sh"

for name in wanted other; do
	cp "$(readlink -f /proc/$$/exe)" "$TMP/$name"
	"$TMP/$name" -c 'while :; do read line </proc/version; done' &
	eval "pid_$name=$!"
	running="$running $!"
done

# shows ENGINE FILTER TOOL OPTION...: nothing of the other.
shows() {
	engine=$1 filter=$2
	shift 2
	case $filter in
	name) value=wanted ;;
	*) value=$(pid wanted) ;;
	esac
	verdict=$(echo "$*-$filter-$engine" | tr -s ' /-' '-')
	timeout $((30 * SLOW)) "$SONDE" "$@" --backend "$engine" --duration 1 --json --$filter="$value" \
		>"$TMP/out" 2>"$TMP/err" </dev/null
	status=$?
	runs=$((runs + 1))
	[ $status = 0 ] || { refusals=$((refusals + 1)); return; }
	grep -v '^{"end"' "$TMP/out" | grep -E "\"(pid|tid)\":$(pid other)[,}]|\"comm\":\"other\"" | head -n 3 >"$TMP/others"
	if [ -s "$TMP/others" ]; then
		fail "$verdict" "the other task is shown:"
		notes "$TMP/others"
	fi
	shown=$((shown + $(grep -v '^{"end"' "$TMP/out" | grep -cE "\"(pid|tid)\":$(pid wanted)[,}]|\"comm\":\"wanted\"")))
}
# Options that change what is shown: those without a value.
modes() {
	"$SONDE" completion -- "$1" -- 2>/dev/null | cut -f 1 | grep -vxE -e \
		'--(pid|tid|ppid|uid|name|exec|json|csv|help|version|verbose|dump|input|snapshot|without|backend|buffer-pages|duration|interval|cgroup.*|mntns.*|pidns.*|flame|heatmap|top)'
}

runs=0 refusals=0 shown=0
for engine in $ENGINES; do
	case $engine in ftrace) continue ;; esac
	for filter in pid name; do
		for tool in opensnoop 'systrace -s' 'syscount -P' schedlat profile; do
			# shellcheck disable=SC2086
			shows $engine $filter $tool
		done
	done
done
if [ -n "$LONG" ]; then
	for tool in $("$SONDE" help | sed -n '/^and$/q; s/^  \([a-z0-9]*\) .*/\1/p'); do
		for mode in '' $(modes "$tool"); do
			for filter in pid tid name; do
				# shellcheck disable=SC2086
				shows bpf $filter $tool $mode
			done
		done
	done
fi
echo "-- $runs runs, $refusals refused or impossible here"
if [ $refusals = $runs ]; then
	skip shown "none of these tools can run here"
else
	expect shown [ $shown -gt 0 ]
fi
clean left
quiet kernel-log
