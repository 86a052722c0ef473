# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# The engine bpf shows the same rows by every kind of probe: each tool that uses a kind here is told to do without it, and
# is held against a workload as with it: a known one, or that of the self-test.
. "${0%/*}/../lib.sh"

case " $ENGINES " in *" bpf "*) ;; *) skip kinds "bpf is not among the engines"; exit 0 ;; esac
has bpf || { skip kinds "$(feature bpf 3)"; exit 0; }
. "$LIVE/known.sh"
KNOWN=" $(sed -n 's/^load_\([a-z0-9]*\)().*/\1/p' "$LIVE/known.sh" | xargs) "

# What is taken away, and the kinds that nothing is attached by then.
variants() {
	cat <<-VARIANTS
		tp_btf	typed tracepoint
		tp_btf,raw-tracepoints	typed tracepoint|raw tracepoint
	VARIANTS
	# Where tasks can be preempted, fentry serves what kprobes serve only without these.
	{ has fentry && ! has fentry-whole; } || printf 'fentry\tfentry|fexit\n'
	! has fentry || printf 'kprobes\tkprobe|kretprobe\n'
}

# served FILE [WITHOUT]: a line "TOOL PROBES" for each tool that bpf serves then.
served() {
	"$SONDE" features --json ${2:+--without "$2"} | awk -v OFS='\t' '{
		n = split($0, tools, /\{"tool": "/)
		for (i = 2; i <= n; i++) {
			if (tools[i] !~ /"engine": "bpf"/)
				continue
			probes = tools[i]
			sub(/.*"probes": \[/, "", probes)
			sub(/\].*/, "", probes)
			sub(/".*/, "", tools[i])
			print tools[i], probes
		}
	}' >"$1"
}
# probes FILE TOOL
probes() { sed -n "s/^$2	//p" "$1"; }

# rows NAME TOOL WITHOUT KINDS: the rows are those of the workload.
rows() {
	load_$2 || return
	ids=w
	[ $2 != cachestat ] || ids="w r"
	start s $2 --backend bpf --buffer-pages 1024 --json ${3:+--without "$3"} $(args_$2) || {
		go $ids
		fail "$1" "ended with status $STATUS:"
		notes "$TMP/s.err"
		return
	}
	go $ids
	stop s
	equal "$1-kinds" "" "$([ -z "$4" ] || grep -E "^sonde: [a-z0-9_.]+: ($4) " "$TMP/s.err")"
	lossless "$1-lost" bpf "$TMP/s.out" || return
	check_$2
	same "$1" "$TMP/wanted" "$TMP/got" && sed -nE 's/^sonde: ([a-z0-9_.]+: (tracepoint|typed|raw|k(ret)?probe|fentry|fexit) .*)/#   \1/p' "$TMP/s.err" | sort -u
}
# judged FILE ARGS...: what the self-test says, asked so.
judged() {
	judgement=$1
	shift
	timeout $((120 * SLOW)) "$SONDE" selftest --json --backend bpf "$@" >"$judgement" 2>"$TMP/err" </dev/null ||
		{ fail "selftest-$name" "ended with status $?:"; notes "$TMP/err"; }
}
# verdict FILE TOOL
verdict() { fields "$1" tool verdict | sed -n "s/^$2	//p"; }

served "$TMP/whole"
variants >"$TMP/variants"
while IFS='	' read -r without kinds <&3; do
	name=$(echo "$without" | tr , -)
	here=
	for f in $(echo "$without" | tr , ' '); do
		! has "$f" || here=$f
	done
	[ -n "$here" ] || { skip "$name" "$(feature "${without%%,*}" 2) $(feature "${without%%,*}" 3)"; continue; }
	served "$TMP/less" "$without"
	uses=0 rest=
	for tool in $(cut -f 1 "$TMP/whole"); do
		[ "$(probes "$TMP/whole" $tool)" != "$(probes "$TMP/less" $tool)" ] || continue
		uses=$((uses + 1))
		if [ -z "$(probes "$TMP/less" $tool)" ]; then
			skip "$tool-$name" "bpf serves it by these kinds only: $("$SONDE" features $tool --without "$without" |
				sed -n 's/^  not        bpf: *//p' | head -n 1)"
			continue
		fi
		case $KNOWN in
		*" $tool "*)
			grep -qx $tool "$TMP/done" 2>/dev/null || rows $tool $tool "" ""
			echo $tool >>"$TMP/done"
			rows $tool-$name $tool "$without" "$kinds"
			;;
		*) rest="$rest $tool" ;;
		esac
	done
	# A kind that this kernel has and no tool uses is not tested.
	expect "$name-used" [ $uses -gt 0 ]
	[ -n "$rest" ] || continue
	judged "$TMP/whole.json" $rest
	judged "$TMP/less.json" --without "$without" $rest
	for tool in $rest; do
		case $(verdict "$TMP/whole.json" $tool) in
		ok | degraded)
			less=$(verdict "$TMP/less.json" $tool)
			# Without kprobes calls of 32-bit tasks are not shown, or parts of vfsstat: the tool says so.
			[ $without.$less != kprobes.degraded ] || less=$(verdict "$TMP/whole.json" $tool)
			equal "$tool-$name" "$(verdict "$TMP/whole.json" $tool)" "$less"
			;;
		no*) skip "$tool-$name" "the self-test says: $(fields "$TMP/whole.json" tool verdict why | sed -n "s/^$tool	//p" | sed 's/\\x20/ /g')" ;;
		*) fail "$tool-$name" "$(grep "\"tool\":\"$tool\"" "$TMP/whole.json")" ;;
		esac
	done
	equal "$name-kinds" "" "$(grep -oE ": ($kinds) [^;\"]*" "$TMP/less.json" | head -n 3)"
done 3<"$TMP/variants"
clean left
quiet kernel-log
