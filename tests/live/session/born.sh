# SPDX-License-Identifier: GPL-2.0
#
# Filters by cgroup and by namespace where a task is within from its first moment: a child that clone3(2) makes in a
# cgroup, the first processes of two pid namespaces. filters.sh has tasks that come and go.
. "${0%/*}/../lib.sh"

tree=$(cgroup2)
mine=${tree:+$tree/sonde-born-$$}
mkdir "$TMP/dir"
cleanup_hook() { [ -z "$mine" ] || rmdir "$mine/below" "$mine" 2>/dev/null; }
if [ -z "$tree" ] || ! mkdir -p "$mine/below" 2>"$TMP/why"; then
	skip cgroups "no cgroup of version 2 can be made: $(head -n 1 "$TMP/why")"
	mine=
elif ! "$WORK" born "$mine/below" "$WORK" noop <&- >/dev/null 2>"$TMP/why" && grep -q clone3 "$TMP/why"; then
	skip cgroups "clone3(2) of this kernel makes no child in a cgroup: $(head -n 1 "$TMP/why")"
	mine=
fi
# apart ID: the load waits in namespaces of its own; $in_ID is its process as the host has it.
apart() {
	load_by "$1" "$WORK apart" "$WORK" opens 4 "$TMP/dir" && eval "in_$1=$(child "$(pid "$1")" work)"
}
# opened ID PID: the opens that the load says it did, as that process.
opened() { awk -F '\t' -v OFS='\t' -v pid="$2" '$1 == "open" { print pid ? pid : $2, $8 }' "$TMP/$1.said"; }
# rows NAME: the rows of sonde are the lines of $TMP/wanted, no more and no less.
rows() {
	expect "$1-some" [ -s "$TMP/wanted" ]
	same_opens "$1" "$TMP/s.out" "$TMP/dir" wanted
}
# namespaces NAME ARGS...: two pid namespaces of one process each, one of which is traced; and their mount namespaces.
namespaces() {
	name=$1
	shift
	unshare -m true 2>"$TMP/why" && apart one && apart two || {
		skip pidns-$name "no namespaces can be made here: $(head -n 1 "$TMP/why")"
		return
	}
	load outside "$WORK" opens 4 "$TMP/dir"
	if start_or_skip pidns-$name "$reasons|$(absences "$2")" s opensnoop "$@" --json --pidns "$in_one" &&
	   start m opensnoop "$@" --json --mntns "$in_one,$in_two"; then
		go one two outside
		stop s
		opened one "$in_one" >"$TMP/wanted"
		rows pidns-$name
		stop m
		opened two "$in_two" >>"$TMP/wanted"
		mv "$TMP/m.out" "$TMP/s.out"
		rows mntns-$name
	else
		go one two outside
	fi
}
reasons="control group|cgroup|namespaces|current task"

for b in $ENGINES; do
	if [ -n "$mine" ]; then
		load born "$WORK" born "$mine" "$WORK" opens 4 "$TMP/dir"
		load below "$WORK" born "$mine/below" "$WORK" opens 4 "$TMP/dir"
		load outside "$WORK" born "$tree" "$WORK" opens 4 "$TMP/dir"
		if start_or_skip clone3-$b "$reasons|$(absences $b)" s opensnoop --backend $b --json --cgroup "$mine"; then
			go born below outside
			stop s
			{ opened born; opened below; } >"$TMP/wanted"
			if [ $b = bpf ]; then
				rows clone3-$b
			else	# it asks /proc, and what was before the answer is lost
				fields "$TMP/s.out" pid path | grep -F "$TMP/dir" >"$TMP/got"
				strange clone3-$b
			fi
		else
			go born below outside
		fi
	fi
	namespaces $b --backend $b
	# As on kernels without type information: where a task's namespaces are is found at run time.
	[ $b != bpf ] || ! has_kprobes || namespaces $b-found --backend $b --without btf
done
clean left
quiet kernel-log
