# SPDX-License-Identifier: GPL-2.0
#
# The engine `recording` of the live tests: what a script runs with `--backend recording` is recorded by `sonde record`,
# and then the tool runs over the recording. The rows are to be those of a live run. It is asked for by hand, with
# ENGINES=recording. lib.sh sources this.

# quoted WORD...: for eval.
quoted() {
	for _word; do
		printf "'%s' " "$(printf %s "$_word" | sed "s/'/'\\\\''/g")"
	done
}
# split ARGS...: sets $words, of the tool that is recorded, and $over, of the one that runs over the recording.
split() {
	words='' over=''
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
}
records() { grep -q '^sonde: record: [0-9]* events on' "$1"; }

# In the background. record_instead ID ARGS...: as start_once.
record_instead() {
	id=$1
	shift
	split "$@"
	: >"$TMP/$id.err"
	eval "exec \"\$WORK\" signals \"\$SONDE\" record -o \"\$TMP/$id.perf\" $words" >"$TMP/$id.out" 2>"$TMP/$id.err" </dev/null &
	eval "pid_$id=$!"
	running="$running $!"
	wait_for 30 records_or_ends "$id"
	records "$TMP/$id.err" || { give_up "$id"; return; }
	eval "over_$id=\$over"
}
records_or_ends() { records "$TMP/$1.err" || ! alive "$1"; }
# over_recording ID: runs the tool, if that was recorded; its exit status is in $STATUS. Only what matters to the rows is
# kept of what the recorder said.
over_recording() {
	eval "over=\${over_$1-}"
	[ -n "$over" ] || return 0
	eval "over_$1="
	mv "$TMP/$1.err" "$TMP/$1.recorder"
	eval "\"\$SONDE\" $over --input \"\$TMP/$1.perf\" --verbose" >"$TMP/$1.out" 2>"$TMP/$1.err" </dev/null
	STATUS=$?
	grep ' events lost ' "$TMP/$1.recorder" >>"$TMP/$1.err"
}

# In the foreground: what scripts call is this file itself, which knows the real sonde.
if [ -z "${real_sonde:-}" ]; then
	printf '#!/bin/sh\nreal_sonde="%s" exec sh "%s" "$@"\n' "$SONDE" "$LIVE/recording_engine.sh" >"$TMP/.sonde"
	chmod +x "$TMP/.sonde"
	SONDE=$TMP/.sonde
	return
fi
case " $* " in *' --backend recording '*) ;; *) exec "$real_sonde" "$@" ;; esac
file=$(mktemp "${TMPDIR:-/tmp}/sonde-recording.XXXXXX")
trap 'rm -f "$file" "$file.err"' EXIT
split "$@"
eval "\"\$real_sonde\" record -o \"\$file\" $words" 2>"$file.err"
status=$?
if ! records "$file.err"; then
	cat "$file.err" >&2
	exit $status
fi
eval "\"\$real_sonde\" $over --input \"\$file\""
replayed=$?
[ $status != 0 ] || status=$replayed
exit $status
