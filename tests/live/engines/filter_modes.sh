# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# Filters in all modes: beside two programs that do the same, a tool that is asked for one shows nothing of the other, or
# refuses to be asked so. A sample; LONG=1: all tools; LONG=2: with each filter, and each option that takes no value, too.
# (The unit tests run each row of each tool's table once more with each filter.)
. "${0%/*}/../lib.sh"

for name in wanted other; do
	cp "$(readlink -f /proc/$$/exe)" "$TMP/$name"
	"$TMP/$name" -c 'while :; do read line </proc/version; done' &
	eval "pid_$name=$!"
	running="$running $!"
done

# rows_of TASK FILE: those that name it.
rows_of() { grep -v '^{"end"' "$2" | grep -E "\"(pid|tid)\":$(pid "$1")[,}]|\"comm\":\"$1\""; }
# shows ENGINE FILTER TOOL OPTION...: nothing of the other. Several may run side by side: what came of it, a word, is
# added to $TMP/came.
: >"$TMP/came"
shows() {
	engine=$1 filter=$2 tool=$3
	shift 3
	case $filter in
	name) value=wanted ;;
	*) value=$(pid wanted) ;;
	esac
	name=$(echo "$tool $*-$filter-$engine" | tr -s ' /-' '-')
	out=$TMP/$name.out
	# The mode is last: one that wants a value is refused, and takes no other option for it.
	timeout $((30 * SLOW)) "$SONDE" "$tool" --backend "$engine" --duration 1 --json --$filter="$value" "$@" \
		>"$out" 2>/dev/null </dev/null
	status=$?
	came=nothing
	if [ $status -ge 128 ]; then
		fail "$name" "it died with status $status"
	elif [ $status = 124 ]; then
		came=late
	elif [ $status != 0 ]; then
		came=refused
	else
		rows_of other "$out" | head -n 3 >"$out.others"
		if [ -s "$out.others" ]; then
			fail "$name" "the other task is shown:"
			notes "$out.others"
		fi
		! rows_of wanted "$out" >/dev/null || came=shown
	fi
	echo $came >>"$TMP/came"
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
	# Eight at a time, as they wait more than they work.
	set --
	filters='pid tid name'
	for tool in $("$SONDE" help | sed -n '/^and$/q; s/^  \([a-z0-9]*\) .*/\1/p'); do
		# Without LONG=2 one filter, and another one for the next tool.
		[ "$LONG" = 2 ] || case $filters in pid) filters=tid ;; tid) filters=name ;; *) filters=pid ;; esac
		for mode in '' $([ "$LONG" != 2 ] || modes "$tool"); do
			for filter in $filters; do
				# shellcheck disable=SC2086
				shows bpf $filter $tool $mode &
				set -- "$@" $!
				[ $# -lt 8 ] || { wait "$@"; set --; }
			done
		done
	done
	[ $# = 0 ] || wait "$@"
fi
came() { grep -cx "$1" "$TMP/came"; }
runs=$(came '.*') refused=$(came refused)
echo "-- $runs runs, $refused refused or impossible here, $(came late) did not end within $((30 * SLOW)) s"
if [ "$refused" = "$runs" ]; then
	skip shown "none of these tools can run here"
else
	expect shown grep -qx shown "$TMP/came"
fi
clean left
quiet kernel-log
