# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# Filters in all modes: beside two programs that do the same, a tool that is asked for one shows nothing of the other, or
# refuses to be asked so. A sample; with LONG=1 all tools, with LONG=2 each with each option that takes no
# value, too; one filter each.
# (The unit tests run each row of each tool's table once more with each filter.)
. "${0%/*}/../lib.sh"

for name in wanted other; do
	cp "$(readlink -f /proc/$$/exe)" "$TMP/$name"
	"$TMP/$name" -c 'while :; do read line </proc/version; done' &
	eval "pid_$name=$!"
	running="$running $!"
done

# shows ENGINE FILTER TOOL OPTION...: nothing of the other. A word of what came of it goes to $TMP/came, as several run
# side by side.
shows() {
	engine=$1 filter=$2
	shift 2
	case $filter in
	name) value=wanted ;;
	*) value=$(pid wanted) ;;
	esac
	verdict=$(echo "$*-$filter-$engine" | tr -s ' /-' '-')
	out=$TMP/$verdict.out
	timeout $((30 * SLOW)) "$SONDE" "$@" --backend "$engine" --duration 1 --json --$filter="$value" \
		>"$out" 2>/dev/null </dev/null || { echo refused >>"$TMP/came"; rm -f "$out"; return; }
	grep -v '^{"end"' "$out" | grep -E "\"(pid|tid)\":$(pid other)[,}]|\"comm\":\"other\"" | head -n 3 >"$out.others"
	if [ -s "$out.others" ]; then
		fail "$verdict" "the other task is shown:"
		notes "$out.others"
	fi
	if grep -v '^{"end"' "$out" | grep -qE "\"(pid|tid)\":$(pid wanted)[,}]|\"comm\":\"wanted\""; then
		echo shown >>"$TMP/came"
	else
		echo nothing >>"$TMP/came"
	fi
	rm -f "$out" "$out.others"
}
# Options that change what is shown: those without a value.
modes() {
	"$SONDE" completion -- "$1" -- 2>/dev/null | cut -f 1 | grep -vxE -e \
		'--(pid|tid|ppid|uid|name|exec|json|csv|help|version|verbose|dump|input|snapshot|without|backend|buffer-pages|duration|interval|cgroup.*|mntns.*|pidns.*|flame|heatmap|top)'
}

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
	# Each mode with one filter, which differs from mode to mode; eight at a time, as they wait more than they work.
	started= turn=0
	for tool in $("$SONDE" help | sed -n '/^and$/q; s/^  \([a-z0-9]*\) .*/\1/p'); do
		for mode in '' $([ "$LONG" -lt 2 ] || modes "$tool"); do
			turn=$((turn + 1))
			case $((turn % 3)) in 0) filter=pid ;; 1) filter=name ;; 2) filter=tid ;; esac
			# shellcheck disable=SC2086
			shows bpf $filter $tool $mode &
			started="$started $!"
			[ $((turn % 8)) != 0 ] || { wait $started; started=; }
		done
	done
	wait $started
fi
runs=$(grep -c . "$TMP/came") refusals=$(grep -cx refused "$TMP/came")
echo "-- $runs runs, $refusals refused or impossible here"
if [ "$refusals" = "$runs" ]; then
	skip shown "none of these tools can run here"
else
	expect shown grep -qx shown "$TMP/came"
fi
clean left
quiet kernel-log
