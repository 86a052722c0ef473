#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bcc_examples.sh FOLDER: runs each command line of bcc's manual pages and example texts with sonde, for a second, and
# prints how many sonde takes, and what it says about the others. FOLDER is bcc's source, with man/man8 and tools.
# SONDE= is the binary.
# bcc_examples.sh --cut LIST FOLDER: only writes the command lines, one a line.
# bcc_examples.sh --run LIST DIR: runs them, on any machine with busybox; SECONDS_EACH= is how long (1).
# bcc_examples.sh --judge DIR: prints what came out.
#
# In a guest: lab.sh K=6.1-amd64 --add LIST --add bcc_examples.sh --results R --run \
#   'SONDE=/lab/sonde sh /lab/bcc_examples.sh --run /lab/LIST $RESULTS/ran'
#
# Processes that the texts name are not here: another one stands for all of them.
set -u

usage() { sed -n '/^# bcc_examples.sh/,/^$/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }

# A page has "#" and ".B COMMAND" in its EXAMPLES, an example text "# ./COMMAND".
cut_all() {
	if [ ! -d "$2/man/man8" ] || [ ! -d "$2/tools" ]; then
		echo "SKIP bcc_examples: there is no $2/man/man8 or $2/tools: a copy of bcc's source has them"
		exit 77
	fi
	awk '
		FNR == 1 { examples = prompt = 0; tool = FILENAME; sub(/.*\//, "", tool); sub(/(_example)?\.(8|txt)$/, "", tool) }
		function put(line) {
			gsub(/\\-/, "-", line); gsub(/\\(aq|.aq)/, "\047", line); gsub(/\\\\/, "\\", line)
			sub(/^[ #]+/, "", line); sub(/^sudo /, "", line)
			sub(/^(\.\/|\/usr\/share\/bcc\/tools\/)/, "", line)
			sub(/ +$/, "", line)
			if (line != "" && !seen[line]++)
				print line
		}
		# In the words of a macro two quotes are one, behind one that begins.
		function unquoted(line) { gsub(/"""/, "\"", line); gsub(/""/, "\"", line); return line }
		FILENAME ~ /\.8$/ {
			if (/^\.SH/)
				examples = /EXAMPLE/
			else if (examples && /^\.B / && (prompt || index($2, tool) == 1))
				put(unquoted(substr($0, 4)))
			else if (examples && /^# /)
				put($0)
			prompt = /^# *$/
			next
		}
		/^[ \t]*# *(sudo )?\.\// || ($1 == "#" && $2 ~ "^" tool "(\\.py)?$") { put($0) }
	' "$2"/man/man8/*.8 "$2"/tools/*_example.txt >"$1"
}

# One line: its words are for a shell, as they are in the text.
run_one() {
	words=$(printf '%s\n' "$1" | sed -E "s/(-p|--pid|-P|-t|--tid) ?[0-9]{2,}( |\$)/\1 $3 /g
		s/[\$\`]\(?(pgrep|pidof)[^)\`]*[)\`]/$3/g; s/(-p|--pid) (PID|pid)/\1 $3/g")
	echo "$1" >"$2.line"
	(eval "timeout -s INT $SECONDS_EACH $SONDE $words") >"$2.out" 2>"$2.err" </dev/null
	echo $? >"$2.status"
	head -c 4096 "$2.out" >"$2.said" && rm "$2.out"
}

run_all() {
	mkdir -p "$2"
	sleep 100000 &
	other=$!
	n=0
	# What a line writes into a file belongs there too.
	cd "$2" || exit 1
	while IFS= read -r line; do
		n=$((n + 1))
		run_one "$line" "$2/$n" $other
	done <"$1"
	kill $other
}

judge() {
	for status in "$1"/*.status; do
		base=${status%.status}
		why=$(sed -n 1p "$base.err")
		case $(cat "$status"):$why in
		0:* | 124:* | 130:* | 143:*) what=runs ;;
		2:*'there is no tool'*) what='no tool' ;;
		2:*'sonde: '*) what=refused ;;
		1:*"can't run here"*) what=unavailable ;;
		1:*'sonde: '*) what='not here' ;;
		*) what="the shell's" ;;
		esac
		printf '%s\t%s\t%s\n' "$what" "$(cat "$base.line")" "$why"
	done | sort | awk -F '\t' '
		{ n[$1]++; if ($1 != "runs") lines[$1] = lines[$1] "  " $2 "\n      " $3 "\n" }
		END {
			for (what in n) if (what != "runs") printf "%s:\n%s", what, lines[what]
			for (what in n) printf "%s: %d\n", what, n[what]
		}'
}

: "${SONDE:=./sonde}" "${SECONDS_EACH:=1}"
case $SONDE in /*) ;; *) SONDE=$PWD/$SONDE ;; esac
case ${1:-} in
--cut) [ $# -eq 3 ] || usage; cut_all "$2" "$3" ;;
--run) [ $# -eq 3 ] || usage; run_all "$2" "$3" ;;
--judge) [ $# -eq 2 ] || usage; judge "$2" ;;
-* | '') usage ;;
*)
	[ $# -eq 1 ] || usage
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	cut_all "$scratch/list" "$1"
	run_all "$scratch/list" "$scratch/ran"
	judge "$scratch/ran"
	;;
esac
