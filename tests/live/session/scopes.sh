# SPDX-License-Identifier: GPL-2.0
#
# Filters by cgroup, of version 1 and 2, and by namespace, with tasks that come and go: processes and threads that are
# made within, and processes that move in and out while they are traced. Each end of a process within is a row.
# timeout: 300
. "${0%/*}/../lib.sh"

# tree VERSION: where cgroups of this version are mounted, and some can be made; else nothing, and $TMP/why.
tree() {
	: >"$TMP/why"
	awk -v type="$([ "$1" = 2 ] && echo cgroup2 || echo cgroup)" '$3 == type { print $2 }' /proc/mounts >"$TMP/mounts"
	while read -r mounted; do
		case $mounted in */cpuset) continue;; esac	# takes no tasks until it has CPUs
		[ -d "$mounted/sonde-scopes-$$" ] || mkdir "$mounted/sonde-scopes-$$" 2>"$TMP/why" || continue
		echo "$mounted"
		return
	done <"$TMP/mounts"
}
groups=
cleanup_hook() {
	for group in $groups; do
		rmdir "$group/below/deep" "$group/below" "$group/later" "$group" 2>/dev/null
	done
	rmdir "$counted" 2>/dev/null
}
# rows NAME OUTPUT ID...: the rows are the ends of what these loads made, no more and no less.
rows() {
	name=$1
	out=$2
	shift 2
	for id; do
		awk -F '\t' '$1 == "exit" { print $2 }' "$TMP/$id.said"
	done | sort >"$TMP/wanted"
	for id in $all; do
		awk -F '\t' '$1 == "exit" { print $2 }' "$TMP/$id.said"
	done | sort >"$TMP/every"
	fields "$out" pid | sort | grep -Fxf "$TMP/every" >"$TMP/got"
	expect "$name-some" [ -s "$TMP/wanted" ]
	same "$name" "$TMP/wanted" "$TMP/got"
}

# Others' tasks that nobody can tell the place of: what sonde leaves out for them is no loss of its own. An instance counts
# the children that clone3(2) puts into cgroups. Namespaces are read by the test itself, after sonde.
counted=$TRACEFS/instances/scopes-$$
into_cgroups() {
	[ -d "$counted" ] || { mkdir "$counted" && echo 'clone_flags & 0x200000000' >"$counted/events/task/task_newtask/filter" &&
		echo 1 >"$counted/events/task/task_newtask/enable"; } 2>/dev/null
	grep -c 'task_newtask:' "$counted/trace" 2>/dev/null
}
unreadable() {
	for task in /proc/[0-9]*/task/[0-9]*; do
		readlink "$task/ns/$1" >/dev/null 2>&1 || ! grep -q '^State:.[^ZX]' "$task/status" 2>/dev/null || echo "$task"
	done | grep -c .
}
# placed NAME ENGINE ID OTHERS WHO: nothing was lost but events of OTHERS tasks of this kind, if there are any.
placed() {
	undecided=$(sed -n 's/.*: \([0-9]*\) events* left out: it is unknown whether .*/\1/p' "$TMP/$3.err")
	if [ -n "$undecided" ] && [ "$4" -gt 0 ]; then
		nothing_lost "$1" "$2" $(($(reported "$TMP/$3.out" lost) - undecided)) &&
			echo "# $1: $undecided events left out, and there are $4 tasks $5"
	else
		lossless "$1" "$2" "$TMP/$3.out"
	fi
}

all="within below moves leaves outside"
for version in 2 1; do
	mounted=$(tree $version)
	mine=$mounted/sonde-scopes-$$
	for b in $ENGINES; do
		[ -n "$mounted" ] || {
			skip v$version-$b "no cgroups of version $version can be made: $(head -n 1 "$TMP/why")"
			continue
		}
		groups="$groups $mine"
		mkdir -p "$mine/below/deep"
		for id in $all; do
			load $id "$WORK" exits 2
		done
		into "$mine" within
		into "$mine/below/deep" below
		into "$mine" leaves
		others=$(into_cgroups)
		if start_or_skip v$version-$b "version 1|cgroup|control group|$(absences $b)" s \
		   exitsnoop --backend $b --json --cgroup "$mine"; then
			mkdir "$mine/later"
			into "$mine/later" moves
			into "$mounted" leaves
			go $all
			stop s
			rows v$version-$b "$TMP/s.out" within below moves
			[ $version = 1 ] && others=0 || others=$((${others:+$(into_cgroups) - others}))
			placed v$version-lossless-$b $b s $others "that clone3(2) put into cgroups"
			rmdir "$mine/later"
		else
			go $all
		fi
	done
done
# A child that is in the cgroup from its first moment, by clone3(): where only /proc tells that, rows may lack, as many as
# are counted as lost at most.
mounted=$(tree 2)
mine=$mounted/sonde-scopes-$$
[ -z "$mounted" ] || groups="$groups $mine"
for b in $ENGINES; do
	[ -n "$mounted" ] && "$WORK" born "$mine" true 2>"$TMP/why" || {
		skip born-$b "no child can be made in a cgroup here: $(head -n 1 "$TMP/why")"
		continue
	}
	start_or_skip born-$b "cgroup|control group|$(absences $b)" s exitsnoop --backend $b --json --cgroup "$mine" ||
		continue
	"$WORK" born "$mine" "$WORK" exits 2 >"$TMP/born.said" 2>"$TMP/born.err"
	stop s
	awk -F '\t' '$1 == "exit" { print $2 }' "$TMP/born.said" | sort >"$TMP/wanted"
	fields "$TMP/s.out" pid comm | awk '$2 == "work" { print $1 }' | sort >"$TMP/got"
	lacking=$(grep -Fxvf "$TMP/got" "$TMP/wanted" | grep -c .)
	expect born-some-$b [ -s "$TMP/wanted" ]
	if [ $b = bpf ] || { [ $b = perf ] && has perf-cgroup; }; then
		equal born-$b 0 "$lacking"
	else
		between born-$b 0 "$lacking" "$(reported "$TMP/s.out" lost)"
	fi
done
# What joins a namespace while it is traced, and what leaves it for one of its own. Ids within are others: the ends are
# told by their names.
ends() {
	fields "$1" comm | grep -Ec "^$2\$"
}
within() {
	kind=$1
	shift
	case $kind in mnt) flags=-m enter=-m ;; pid) flags="-p -f" enter=-p ;; esac
	for b in $ENGINES; do
		load_by first "unshare $flags" "$WORK" -c ns-first exits 2
		first=$(pid first)
		[ $kind = mnt ] || first=$(child "$first" work)
		load outside "$WORK" -c ns-outside exits 2
		if start_or_skip ${kind}ns-$b "namespaces|type information|current task|$(absences $b)" s \
		   exitsnoop --backend $b --json --${kind}ns "$first"; then
			nsenter -t "$first" $enter "$WORK" -c ns-joins exits 1 >"$TMP/joins.said" 2>"$TMP/joins.err"
			nsenter -t "$first" $enter unshare $flags "$WORK" -c ns-leaves exits 1 >"$TMP/leaves.said" 2>"$TMP/leaves.err"
			go first outside
			stop s
			for name in first joins; do
				equal ${kind}ns-$name-$b $(($(grep -c '^exit' "$TMP/$name.said") + 1)) \
					"$(ends "$TMP/s.out" ns-$name)"
			done
			for name in leaves outside; do
				equal ${kind}ns-$name-$b 0 "$(ends "$TMP/s.out" ns-$name)"
			done
			placed ${kind}ns-lossless-$b $b s "$(unreadable $kind)" "whose namespaces can't be read"
		else
			go first outside
		fi
	done
}
for kind in mnt pid; do
	case $kind in mnt) flags=-m ;; pid) flags="-p -f" ;; esac
	if nsenter -t $$ -m true 2>"$TMP/why" && unshare $flags true 2>"$TMP/why"; then
		within $kind
	else
		skip ${kind}ns "no namespaces can be made and entered here: $(head -n 1 "$TMP/why")"
	fi
done
clean left
quiet kernel-log
