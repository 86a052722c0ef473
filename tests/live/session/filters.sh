# SPDX-License-Identifier: GPL-2.0
#
# Filters by cgroup and by namespace: what is within is shown, also below it, and what comes there while it is traced;
# what is elsewhere, and what has left, is not. An engine that can't tell refuses.
. "${0%/*}/../lib.sh"

tree=$(cgroup2)
mine=${tree:+$tree/sonde-test-$$}
cleanup_hook() {
	[ -z "$mine" ] || rmdir "$mine/below/deep" "$mine/below" "$mine/later" "$mine" 2>/dev/null
}
mkdir "$TMP/dir"
if [ -z "$tree" ]; then
	skip cgroups "no cgroups of version 2 are mounted"
	mine=
elif ! mkdir -p "$mine/below/deep" 2>"$TMP/why"; then
	skip cgroups "no cgroup can be made: $(head -n 1 "$TMP/why")"
	mine=
fi
# rows NAME OUTPUT ID...: the rows are the opens of these loads, no more and no less.
rows() {
	name=$1
	out=$2
	shift 2
	opens_of "$@" >"$TMP/wanted"
	expect "$name-some" [ -s "$TMP/wanted" ]
	same_opens "$name" "$out" "$TMP/dir" wanted
}

for b in $ENGINES; do
	if [ -n "$mine" ]; then
		for id in within below moves leaves outside; do
			load $id "$WORK" opens 4 "$TMP/dir"
		done
		into "$mine" within
		into "$mine/below/deep" below
		into "$mine" leaves
		if start_or_skip cgroup-$b "control group|cgroup|$(absences $b)" s opensnoop --backend $b --json --cgroup "$mine"; then
			mkdir "$mine/later"
			into "$mine/later" moves
			into "$tree" leaves
			go within below moves leaves outside
			stop s
			rows cgroup-$b "$TMP/s.out" within below moves
			rmdir "$mine/later"
		else
			go within below moves leaves outside
		fi
	fi
	if unshare -m true 2>"$TMP/why"; then
		load_by in 'unshare -m' "$WORK" opens 4 "$TMP/dir"
		load outside "$WORK" opens 4 "$TMP/dir"
		if start_or_skip mntns-$b "namespaces|type information|current task|$(absences $b)" s opensnoop --backend $b --json --mntns "$pid_in"; then
			go in outside
			stop s
			rows mntns-$b "$TMP/s.out" in
		else
			go in outside
		fi
	else
		skip mntns-$b "no mount namespaces here: $(head -n 1 "$TMP/why")"
	fi
done
expect no-cgroup [ "$("$SONDE" opensnoop --cgroup /etc 2>&1 | grep -c 'is not a cgroup')" = 1 ]
clean left
quiet kernel-log
