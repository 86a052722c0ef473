# SPDX-License-Identifier: GPL-2.0
#
# The engine `recording` of the live tests: what a script starts with `--backend recording` is recorded by `sonde record`
# instead, and when the script ends that, the tool runs over the recording. The rows are to be those of a live run. Asked
# for by hand, ENGINES=recording. lib.sh sources this.

# quoted WORD...: for eval.
quoted() {
	for _word; do
		printf "'%s' " "$(printf %s "$_word" | sed "s/'/'\\\\''/g")"
	done
}
# record_instead ID ARGS...: as start_once.
record_instead() {
	id=$1 words='' over=''
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		--backend) shift ;;
		# Of rings: those of a recording are larger, and a file has none.
		--buffer-pages) shift ;;
		# The command is recorded; its events are there like all others.
		--exec)
			words="$words$(quoted "$@")"
			break
			;;
		*)
			words="$words$(quoted "$1")"
			over="$over$(quoted "$1")"
			;;
		esac
		shift
	done
	eval "over_$id=\$over"
	: >"$TMP/$id.err"
	eval "exec \"\$WORK\" signals \"\$SONDE\" record -o \"\$TMP/$id.perf\" $words" >"$TMP/$id.out" 2>"$TMP/$id.err" </dev/null &
	eval "pid_$id=$!"
	running="$running $!"
	wait_for 30 records "$id"
	grep -q '^sonde: record: [0-9]* events on' "$TMP/$id.err" && return 0
	eval "over_$id="
	if alive "$id"; then
		stop "$id" KILL
	else
		wait "$(pid "$id")"
		STATUS=$?
		forget "$id"
	fi
	return 1
}
records() { grep -q '^sonde: record: [0-9]* events on' "$TMP/$1.err" || ! alive "$1"; }
# over_recording ID: runs the tool, if that was recorded; its exit status is in $STATUS. Only what matters to the rows is
# kept of what the recorder said.
over_recording() {
	eval "words=\${over_$1-}"
	[ -n "$words" ] || return 0
	eval "over_$1="
	mv "$TMP/$1.err" "$TMP/$1.recorder"
	eval "\"\$SONDE\" $words --input \"\$TMP/$1.perf\" --verbose" >"$TMP/$1.out" 2>"$TMP/$1.err" </dev/null
	STATUS=$?
	grep ' events lost ' "$TMP/$1.recorder" >>"$TMP/$1.err"
}
