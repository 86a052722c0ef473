# SPDX-License-Identifier: GPL-2.0
#
# The shells' completion: what `sonde completion SHELL` prints is that shell's language, and completes what sonde and the
# names it is linked as take.
. "${0%/*}/../lib.sh"

mkdir "$TMP/bin"
ln -s "$SONDE" "$TMP/bin/sonde"
ln -s sonde "$TMP/bin/opensnoop"
PATH=$TMP/bin:$PATH
export TMP

# Asks bash as readline would: the words, the last of them incomplete.
ask_bash() {
	bash -c '. "$TMP/bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		compopt() { :; }; _sonde 2>&1; echo ${COMPREPLY[*]}' bash "$@"
}
# zsh completes at its prompt only: on a terminal of its own, where ^T tells what the line has become.
ask_zsh() {
	: >"$TMP/line"
	mkdir -p "$TMP/functions"
	cp "$TMP/zsh" "$TMP/functions/_sonde"
	zsh -fc '
		zmodload zsh/zpty
		zpty z zsh -f
		zpty -w z "fpath=($TMP/functions \$fpath); autoload -U compinit; compinit -u -D
			told() { print -r -- \$BUFFER >$TMP/line }; zle -N told; bindkey \"^T\" told; echo RE\"\"ADY"
		zpty -r z said "*READY*"
		zpty -w -n z "$1"$'\''\t\C-t'\''
		for i in {1..200}; do
			[[ ! -s $TMP/line ]] || break
			sleep 0.05
			zpty -rt z said
		done
		zpty -d z' zsh "$*"
	sed 's/ *$//; s/.* //; s/^--nosuch$//' "$TMP/line"
}
ask_fish() {
	fish -N -c 'source $TMP/fish; complete -C "$argv"' -- "$*" 2>/dev/null | cut -f 1 | xargs
}

for shell in bash zsh fish; do
	"$SONDE" completion $shell >"$TMP/$shell"
	equal $shell-status 0 $?
	if ! command -v $shell >/dev/null; then
		skip $shell "no $shell here"
		continue
	fi
	expect $shell-parses $shell -n "$TMP/$shell"
	equal $shell-tool opensnoop "$(ask_$shell sonde opens)"
	equal $shell-command checklist "$(ask_$shell sonde checkl)"
	equal $shell-option --duration "$(ask_$shell sonde opensnoop --dur)"
	equal $shell-link --duration "$(ask_$shell opensnoop --dur)"
	equal $shell-link-path --duration "$(ask_$shell "$TMP/bin/opensnoop" --dur)"
	equal $shell-value ftrace "$(ask_$shell sonde opensnoop --backend f)"
	equal $shell-nothing "" "$(ask_$shell sonde opensnoop --nosuch)"
	if [ -r "$TRACEFS/events/sched/sched_process_fork/format" ]; then
		equal $shell-filter sched:sched_process_fork "$(ask_$shell sonde tplist sched:sched_process_fo)"
	fi
done
if [ -r "$TRACEFS/events/sched/sched_process_fork/format" ]; then
	for tool in trace argdist bt tplist stackcount funccount; do
		equal tracepoint-$tool t:sched:sched_process_fork "$("$SONDE" completion -- $tool t:sched:sched_process_fo)"
	done
	# As readline hands it over: cut at colons.
	equal bash-colons sched_process_fork "$(ask_bash sonde trace t : sched : sched_process_fo)"
fi
if command -v zsh >/dev/null; then
	: >"$TMP/picture.svg"
	equal zsh-option-value --heatmap="$TMP/picture.svg" "$(ask_zsh sonde biolatency --heatmap="$TMP/pict")"
	equal zsh-option-word --backend=ftrace "$(ask_zsh sonde opensnoop --backend=f)"
	equal zsh-heatmap --heatmap "$(ask_zsh sonde biolatency --heat)"
	equal zsh-tracepoint t:sched:sched_process_fork "$(ask_zsh sonde trace t:sched:sched_process_fo)"
fi
"$SONDE" completion nosuch >"$TMP/out" 2>"$TMP/err"
equal no-shell 2 $?
contains no-shell-said "$TMP/err" 'bash\|zsh\|fish'
