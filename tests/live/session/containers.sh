# SPDX-License-Identifier: GPL-2.0
#
# Containers by the paths of their groups and by files of engines: sonde containers lists those of this test, and filters by
# name, pod and unit show what is done in them, and no more, on each engine.
. "${0%/*}/../lib.sh"

tree=$(cgroup2)
digits=$(printf '%064x' $$)
other=$(printf 'c%063x' $$)
bundles=/run/containerd/io.containerd.runtime.v2.task/sonde-test-$$
lxc=$tree/lxc.payload.sonde-$$ docker=$tree/docker-$digits.scope pod=$tree/cri-containerd-$other.scope
unit=$tree/sonde-unit-$$.service
red=$(printf 'lxc.payload.\033[31mred-%s' $$)
cleanup_hook() {
	rmdir "$lxc/in" "$lxc" "$docker" "$pod" "$unit" "$tree/$red" 2>/dev/null
	rm -f "$bundles/$other/config.json"
	rmdir -p "$bundles/$other" 2>/dev/null
}
if [ -z "$tree" ] || ! mkdir "$lxc" "$lxc/in" "$docker" "$pod" "$unit" "$tree/$red" 2>"$TMP/why"; then
	skip containers "no control group of version 2 can be made here"
	clean left
	exit
fi
mkdir -p "$bundles/$other"
cat >"$bundles/$other/config.json" <<EOF
{"ociVersion": "1.0.2", "process": {"args": ["sh"]}, "annotations": {
 "io.kubernetes.cri.container-name": "c-$$", "io.kubernetes.cri.sandbox-name": "pod-$$",
 "io.kubernetes.cri.sandbox-namespace": "n", "io.kubernetes.cri.image-name": "busybox"}}
EOF

# The list: engine, name, image and number of processes of each.
load inside "$WORK" execs 1
into "$lxc/in" inside
"$SONDE" containers --json >"$TMP/json" 2>"$TMP/err"
equal status 0 $?
tr '{' '\n' <"$TMP/json" | grep -e "$digits" -e "$other" -e "sonde-$$" -e "red-$$" |
	sed 's/.*"engine": \("[^"]*"\), "id": "[^"]*", "name": \([^,]*\), "pod": \([^,]*\), "namespace": \([^,]*\), "image": \([^,]*\), "processes": \([0-9]*\), .*/\1 \2 \3 \4 \5 \6/' |
	sort >"$TMP/got"
cat >"$TMP/wanted" <<EOF
"containerd" "c-$$" "pod-$$" "n" "busybox" 0
"docker" null null null null 0
"lxc" "\\u001b[31mred-$$" null null null 0
"lxc" "sonde-$$" null null null 1
EOF
same list "$TMP/wanted" "$TMP/got"
"$SONDE" containers >"$TMP/text" 2>"$TMP/err"
contains text-pod "$TMP/text" "^containerd +${other%"${other#????????????}"} +0 +n/pod-$$/c-$$ +.*cri-containerd-$other.scope$"
contains text-docker "$TMP/text" "^docker +${digits%"${digits#????????????}"} +0 +- "
equal text-plain 0 "$(grep -c "$(printf '\033')" "$TMP/text")"
go inside

# seen NAME ENGINE OPTION...: the ends of what a load does there, and not those of another.
seen() {
	name=$1 engine=$2 group=$3
	shift 3
	load in "$WORK" execs 5
	load out "$WORK" execs 3
	into "$group" in
	if ! start_or_skip "$name-$engine" "$(absences)" s exitsnoop --backend "$engine" --json "$@"; then
		go in out
		return
	fi
	go in out
	stop s
	awk -F '\t' '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/in.said" | sort >"$TMP/wanted"
	awk -F '\t' '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/in.said" "$TMP/out.said" | sort >"$TMP/both"
	fields "$TMP/s.out" pid | sort | grep -Fxf "$TMP/both" >"$TMP/got"
	equal "$name-some-$engine" 5 "$(wc -l <"$TMP/wanted")"
	same "$name-$engine" "$TMP/wanted" "$TMP/got"
}
for b in $ENGINES; do
	seen container $b "$lxc/in" --container "sonde-$$"
	seen id $b "$docker" --container "$digits"
	seen pod $b "$pod" --pod "pod-$$"
	seen unit $b "$unit" --unit "sonde-unit-$$"
done
seen title "${b}" "$pod" --container "n/pod-$$/*"
seen several "${b}" "$docker" --container "sonde-$$,$digits"

# unknown NAME PATTERN ARGS...: as of a directory that is no cgroup, status 2 and the reason.
unknown() {
	name=$1 pattern=$2
	shift 2
	"$SONDE" "$@" >"$TMP/out" 2>"$TMP/err"
	equal "$name-status" 2 $?
	contains "$name" "$TMP/err" "$pattern"
}
unknown none "no container that runs now matches 'nosuch-$$'" exitsnoop --container "nosuch-$$"
unknown none-pod "no pod that runs now matches 'nosuch-$$'" exitsnoop --pod "nosuch-$$"
unknown none-unit "no unit that runs now matches 'sonde-unit-$$.scope'" exitsnoop --unit "sonde-unit-$$.scope"
unknown short "no container that runs now matches 'c00'" exitsnoop --container c00
clean left
