# SPDX-License-Identifier: GPL-2.0
# timeout: 440
#
# selftest: each cell has a verdict that holds on this kernel, none is WRONG, and nothing is left behind, however it
# ends. What is WRONG is in the unit tests: this sonde is taken to be right.
. "${0%/*}/../lib.sh"

# Everything it makes for itself is here.
mkdir "$TMP/own"
chmod 755 "$TMP"
chmod 1777 "$TMP/own"
export TMPDIR="$TMP/own"

# tidy NAME: no folder, no process, no loop device, nothing in tracefs. Processes are looked at by their names first, all
# at once: a machine has hundreds, and this is asked often.
no_process() {
	for p in $(grep -ls '^selftest\.' /proc/[0-9]*/comm 2>/dev/null); do
		! grep -qs '^State:.[^Z]' "${p%comm}status" || return 1
	done
	for p in $(grep -ls sonde /proc/[0-9]*/comm 2>/dev/null); do
		! cat "${p%comm}environ" 2>/dev/null | tr '\0' '\n' | grep -qxF "TMPDIR=$TMP/own" || return 1
	done
}
no_folder() { [ -z "$(ls "$TMP/own")" ]; }
no_loop() { ! grep -qF "$TMP/own" /sys/block/loop*/loop/backing_file 2>/dev/null; }
tidy() {
	for left in folder process loop; do
		expect "$1-no-$left" wait_for 5 no_$left
	done
	clean "$1-tracefs"
}
# cells FILE: tool, engine, verdict, wanted, got, lost of each that has an engine.
cells() { fields "$1" tool backend verdict wanted got lost | awk -F '\t' '$1 != "-" && $2 != "-"'; }
# All tools there are, as `sonde` lists them in its groups, but those without a check, and those that only list and have
# no engine. A check of drsnoop would have to use up all memory, swapin's needs swap, and kvmexit's a guest; tplist lists
# what checks of other tools trace.
UNCHECKED="drsnoop swapin tplist kvmexit"
LISTS="bpflist"
TOOLS=$("$SONDE" | awk -v others=" $UNCHECKED $LISTS " '
	/^and$/ { exit }
	/^  [a-z0-9]+ / && !index(others, " " $1 " ") { print $1 }')
# lists FILE: tool and verdict of those that only list.
lists() { fields "$1" tool backend verdict | awk -F '\t' '$1 != "-" && $2 == "-" && $3 !~ /^no.x20check$/ { print $1 "\t" $3 }'; }
expect tools [ -n "$TOOLS" ]
ALL=$((3 * $(echo $TOOLS | wc -w) + $(echo $LISTS | wc -w)))	# each on three engines, and lists

# In a reduced form of a machine (the lab's) much may be absent: then with a reason, and nothing is wrong. For the matrix
# that is all.
if [ -n "${FORM:-}${BRIEF:-}" ]; then
	timeout $((300 * SLOW)) "$SONDE" selftest --json >"$TMP/out" 2>"$TMP/err" </dev/null
	equal form-status 0 $?
	equal form-quiet "" "$(cat "$TMP/err")"
	[ -z "${RESULTS:-}" ] || cp "$TMP/out" "$RESULTS/selftest.json"
	equal form-checks $ALL "$(reported "$TMP/out" checks)"
	equal form-unchecked "$(echo $UNCHECKED | wc -w)" "$(reported "$TMP/out" "no check")"
	equal form-wrong 0 "$(reported "$TMP/out" WRONG)" || notes "$TMP/out"
	equal form-why 0 "$(fields "$TMP/out" verdict why | grep -c '^not.*	-$')"
	# A program that is refused, or work that dies, is a mistake of sonde's, whatever kernel it is.
	equal form-refused 0 "$(grep -c 'refused the program\|refuses instruction\|ended too early' "$TMP/out")"
	tidy form
	# Tools about one type of file system want a folder on it. For the matrix, the last word counts.
	for type in ext4 xfs btrfs f2fs nfs; do
		[ $type = nfs ] || [ -f "$LIVE/images/$type.gz" ] || continue
		filesystem form-$type $type || continue
		chmod 1777 "$FOLDER"
		more=
		[ $type != ext4 ] || more="fsslower fsdist"
		TMPDIR=$FOLDER timeout $((60 * SLOW)) "$SONDE" selftest --json ${type}slower ${type}dist $more >"$TMP/out" 2>"$TMP/err" </dev/null
		equal form-$type-status 0 $?
		equal form-$type-wrong 0 "$(reported "$TMP/out" WRONG)" || notes "$TMP/out"
		[ -z "${RESULTS:-}" ] || cat "$TMP/out" >>"$RESULTS/selftest.json"
	done
	no_filesystem
	quiet kernel-log
	exit 0
fi

# The whole of it, as JSON.
timeout $((300 * SLOW)) "$SONDE" selftest --json >"$TMP/out" 2>"$TMP/err" </dev/null
equal status 0 $?
# For the lab's matrix.
[ -z "${RESULTS:-}" ] || cp "$TMP/out" "$RESULTS/selftest.json"
expect json "$WORK" json tool <"$TMP/out"
equal quiet "" "$(cat "$TMP/err")"
equal first-object "$(uname -r)" "$(sed -n 1p "$TMP/out" | "$WORK" json kernel)"
cells "$TMP/out" >"$TMP/cells"
for t in $TOOLS; do
	for b in $ENGINES; do
		printf '%s\t%s\n' $t $b
	done
done >"$TMP/wanted"
cut -f 1,2 "$TMP/cells" >"$TMP/got"
same cells "$TMP/wanted" "$TMP/got"
awk -F '\t' '$3 !~ /^(ok|degraded|not\\x20here)$/' "$TMP/cells" >"$TMP/wrong"
: >"$TMP/none"
same verdicts "$TMP/none" "$TMP/wrong" || notes "$TMP/out"
# What serves must have been compared: losses apart, all that was wanted came.
awk -F '\t' '$3 !~ /not/ && ($4 == 0 || $5 < $4 && $6 == 0)' "$TMP/cells" >"$TMP/wrong"
same compared "$TMP/none" "$TMP/wrong"
# What only lists is right where there is BPF.
has bpf && listed='ok|degraded' || listed='not.x20here'
lists "$TMP/out" >"$TMP/lists"
equal lists "$LISTS" "$(awk -F '\t' -v listed="^($listed)\$" '$2 ~ listed { print $1 }' "$TMP/lists" | xargs)"
# What an engine can plan here runs here, and nothing else. Some workloads need what a machine may lack: a disk of one's
# own, interrupts that come to a handler meanwhile, a control group for memory, frequencies of its CPUs, NUMA nodes.
MAY_LACK=" biolatency bitesize cachestat cpufreq hardirqs numamove numasched oomkill "
# What is planned without an option may be unavailable where what an option asks for is served: counts by process, listeners.
PARTS=" syscount bindsnoop "
for t in $TOOLS; do
	for b in $ENGINES; do
		"$SONDE" "$t" --backend $b --dump >/dev/null 2>"$TMP/why"
		case $? in
		0) printf '%s\t%s\n' $t $b ;;
		2) printf '%s\t%s\task\n' $t $b ;;	# nothing is planned unless a function or a question is given
		# A machine may lack the program that is probed: the self-test names one of its own, or maps one.
		*)
			! grep -q 'file can be named' "$TMP/why" || printf '%s\t%s\n' $t $b
			! grep -qE 'has mapped|built without' "$TMP/why" || printf '%s\t%s\task\n' $t $b
			;;
		esac
	done
done >"$TMP/wanted"
# Where the folder is on another file system there is nothing to see; and plans make nothing, but try instances.
fields "$TMP/out" tool backend why | sed 's/\\x20/ /g' | awk -F '\t' '$3 ~ /^the folder is not on|record no stacks of user space/ { print $1 "\t" $2 "\tlacks" }' >>"$TMP/wanted"
awk -F '\t' -v may=" $MAY_LACK " -v parts="$PARTS" '
	FNR == NR { plan[$1, $2] = $3 ? -1 : 1; next }
	{ here = $3 !~ /not/ }
	plan[$1, $2] >= 0 && here != (plan[$1, $2] == 1) && !(!here && index(may, " " $1 " ")) &&
		!($3 == "degraded" && index(parts, " " $1 " ")) { print }
' "$TMP/wanted" "$TMP/cells" >"$TMP/got"
same served "$TMP/none" "$TMP/got"
equal end-checks $ALL "$(reported "$TMP/out" checks)"
equal end-wrong 0 "$(reported "$TMP/out" WRONG)"
tidy json

# As text: a line a cell, and the sum.
timeout $((60 * SLOW)) "$SONDE" selftest tcpconnect runqlat --backend ftrace >"$TMP/out" 2>"$TMP/err" </dev/null
equal text-status 0 $?
contains text-kernel "$TMP/out" "^kernel +$(uname -r | sed 's/[.+]/\\&/g') "
contains text-cell "$TMP/out" '^tcpconnect +ftrace +(ok|degraded: no .*)$'
equal text-cells 2 "$(grep -cE '^[a-z]+ +ftrace ' "$TMP/out")"
contains text-end "$TMP/out" '^2 checks: [0-2] ok, [0-2] degraded, 0 not here, 0 WRONG$'
tidy text

# An engine that is taken away is not here, for that reason.
timeout $((60 * SLOW)) "$SONDE" selftest --json --backend bpf --without bpf >"$TMP/out" 2>"$TMP/err" </dev/null
equal without-status 0 $?
# A folder that is on another type of file system is not here before any engine is asked, nor are other NUMA nodes.
fields "$TMP/out" tool verdict why | awk -F '\t' '$1 != "-" && $2 !~ /^no.x20check$/ && !($2 ~ /^not.x20here$/ && ($3 ~ /^--without/ ||
	$3 ~ /^(the.x20folder|all.x20CPUs)/))' >"$TMP/wrong"
same without-bpf "$TMP/none" "$TMP/wrong"
equal without-said bpf "$(sed -n '1s/.*"without":\["\([a-z]*\)"\].*/\1/p' "$TMP/out")"

# What one part of a check lacks does not hide its other parts.
timeout $((60 * SLOW)) "$SONDE" selftest --json trace --without kprobes >"$TMP/out" 2>"$TMP/err" </dev/null
equal parts-status 0 $?
if [ "$(reported "$TMP/out" 'not here')" = 3 ]; then
	skip parts 'no engine takes probes (USDT) here'
else
	contains parts "$TMP/out" '"verdict":"degraded".*"why":"function of the kernel: [^"]*kprobes'
fi

# In a pid namespace of its own, ids are not those it can compare; the rest is.
timeout $((120 * SLOW)) "$SONDE" selftest --json --without root-pidns opensnoop execsnoop tcpconnect runqlat \
	>"$TMP/out" 2>"$TMP/err" </dev/null
equal foreign-status 0 $?
cells "$TMP/out" | grep -v 'not.x20here' | awk -F '\t' '$3 == "WRONG" || $4 == 0' >"$TMP/wrong"
same foreign "$TMP/none" "$TMP/wrong" || notes "$TMP/out"

# Without rights every cell has the kernel's reason.
cp "$SONDE" "$TMP/sonde-nobody"
chmod 755 "$TMP/sonde-nobody"
timeout $((60 * SLOW)) "$WORK" as 65534 "$TMP/sonde-nobody" selftest --json >"$TMP/out" 2>"$TMP/err" </dev/null
equal nobody-status 0 $?
# Where each user may make maps, the list has them.
equal nobody $ALL "$(($(reported "$TMP/out" "not here") + $(lists "$TMP/out" | grep -c '	ok$')))"
equal nobody-why 0 "$(fields "$TMP/out" tool verdict why | awk -F '\t' '$2 ~ /^not.x20here$/ && $3 == "-"' | wc -l)"
tidy nobody

# Misuse, and nowhere to write.
for words in nosuchtool "--backend none" --backend "--without nosuchfeature" --nosuch; do
	"$SONDE" selftest $words >"$TMP/out" 2>"$TMP/err" </dev/null
	equal "misuse-$(echo "$words" | tr -d ' -')" 2 $?
done
TMPDIR=/proc "$SONDE" selftest >"$TMP/out" 2>"$TMP/err" </dev/null
equal no-folder-status 1 $?
contains no-folder-why "$TMP/err" TMPDIR

# Ctrl-C and its like in the middle, at moments of all kinds.
for run in INT:0.1:130 INT:0.6:130 INT:1.5:130 TERM:0.4:143 TERM:2:143 HUP:1:129 KILL:0.8:137 KILL:1.8:137; do
	rest=${run#*:}
	"$WORK" signals "$SONDE" selftest >"$TMP/out" 2>"$TMP/err" </dev/null &
	pid_s=$!
	running="$running $!"
	sleep "${rest%:*}"
	kill -"${run%%:*}" $pid_s
	await s 2>/dev/null
	equal "ends-${run%:*}" "${rest#*:}" "$STATUS"
	if [ "${run%%:*}" = KILL ]; then
		# Its tool is asked to end and does; what a dead one left in tracefs goes with the next.
		expect "left-${run%:*}-folder" wait_for 5 no_folder
		expect "left-${run%:*}-process" wait_for 5 no_process
		expect "left-${run%:*}-loop" wait_for 5 no_loop
	else
		tidy "left-${run%:*}"
	fi
done

# Nobody reads any more.
timeout $((60 * SLOW)) sh -c '"$1" selftest tcpconnect; echo $? >"$2"' sh "$SONDE" "$TMP/code" 2>"$TMP/err" | head -n 1 >"$TMP/out"
expect closed-pipe [ -s "$TMP/code" ]
tidy closed-pipe
"$SONDE" runqlat 1 1 >/dev/null 2>&1
clean left
quiet kernel-log
