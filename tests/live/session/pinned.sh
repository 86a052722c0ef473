# SPDX-License-Identifier: GPL-2.0
#
# Filters by pinned BPF maps: tasks whose cgroup or mount namespace is a key are shown, those below it are not, and what is
# added or removed while it is traced counts from then on. Maps of another shape are refused, and so are other files.
. "${0%/*}/../lib.sh"

tree=$(cgroup2)
mine=${tree:+$tree/sonde-pinned-$$}
pins=$TMP/pins
mkdir "$TMP/dir" "$pins"
cleanup_hook() {
	[ -z "$mine" ] || rmdir "$mine/below" "$mine/later" "$mine" 2>/dev/null
	umount "$pins" 2>/dev/null
}
has bpf || { skip all "$(feature bpf 3)"; exit; }
mount -t bpf bpf "$pins" 2>"$TMP/why" || { skip all "no file system of BPF: $(head -n 1 "$TMP/why")"; exit; }
if [ -z "$tree" ] || ! mkdir -p "$mine/below" "$mine/later" 2>"$TMP/why"; then
	skip cgroups "no cgroup of version 2 can be made: $(head -n 1 "$TMP/why")"
	mine=
fi
# rows NAME ID...: the rows are the opens of these loads, no more and no less.
rows() {
	name=$1
	shift
	opens_of "$@" >"$TMP/wanted"
	[ $# = 0 ] || expect "$name-some" [ -s "$TMP/wanted" ]
	same_opens "$name" "$TMP/s.out" "$TMP/dir" wanted
}
# begins NAME OPTION: sonde traces with this map. 1: it can't, and that is skipped.
begins() {
	start_or_skip "$1" "control group|cgroups of version 2|namespaces|type information|current task|$(absences bpf)" \
		s opensnoop --backend bpf --json "--$2" "$pins/$2"
}
# said_of NAME PATTERN ARGS...: sonde ends at once, and its reason matches.
said_of() {
	name=$1
	pattern=$2
	shift 2
	"$SONDE" opensnoop "$@" >"$TMP/said.of" 2>&1
	contains "$name" "$TMP/said.of" "$pattern"
}

"$WORK" pin "$pins/cgroupmap" 1 8 8
"$WORK" pin "$pins/mntnsmap" 1 8 4
"$WORK" pin "$pins/narrow" 1 4 8
"$WORK" pin "$pins/array" 2 4 8
if [ -n "$mine" ]; then
	for id in within below later outside; do
		load $id "$WORK" opens 4 "$TMP/dir"
	done
	into "$mine" within
	into "$mine/below" below
	into "$mine/later" later
	"$WORK" pinned "$pins/cgroupmap" "$("$WORK" id "$mine")"
	if begins cgroupmap cgroupmap; then
		go within below
		"$WORK" pinned "$pins/cgroupmap" "$("$WORK" id "$mine/later")"
		go later outside
		stop s
		rows cgroupmap within later
		equal cgroupmap-lost 0 "$(reported "$TMP/s.out" lost)"
	else
		go within below later outside
	fi
	load late "$WORK" opens 4 "$TMP/dir"
	into "$mine" late
	"$WORK" unpinned "$pins/cgroupmap" "$("$WORK" id "$mine")"
	"$WORK" unpinned "$pins/cgroupmap" "$("$WORK" id "$mine/later")" 2>/dev/null || "$WORK" pinned "$pins/cgroupmap" 1
	if begins empty cgroupmap; then
		go late
		stop s
		rows empty
	else
		go late
	fi
fi
if unshare -m true 2>"$TMP/why"; then
	load_by in 'unshare -m' "$WORK" opens 4 "$TMP/dir"
	load outside "$WORK" opens 4 "$TMP/dir"
	"$WORK" pinned "$pins/mntnsmap" "$(readlink /proc/$pid_in/ns/mnt | tr -dc 0-9)"
	if begins mntnsmap mntnsmap; then
		go in outside
		stop s
		rows mntnsmap in
	else
		go in outside
	fi
else
	skip mntnsmap "no mount namespaces here: $(head -n 1 "$TMP/why")"
fi
for b in perf ftrace; do
	case " $ENGINES " in *" $b "*) ;; *) continue ;; esac
	refused refused-$b "do not look into BPF maps|$(absences $b)" opensnoop --backend $b --cgroupmap "$pins/cgroupmap"
done
said_of narrow 'narrow is of type 1, with keys of 4 bytes and values of 8: required is a hash' --cgroupmap "$pins/narrow"
said_of array 'array is of type 2, with keys of 4 bytes' --mntnsmap "$pins/array"
said_of no-file 'none: No such file' --mntnsmap "$pins/none"
said_of no-map 'is not a pinned BPF map' --cgroupmap "$TMP/dir"
clean left
quiet kernel-log
