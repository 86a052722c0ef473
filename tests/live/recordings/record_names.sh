# SPDX-License-Identifier: GPL-2.0
#
# Names of functions in recordings: they are in the file of sonde record, and are right when the program is gone or
# another one is in its place; of what perf recorded they are left out then, and never wrong.
. "${0%/*}/../lib.sh"

if ! has perf; then
	skip record "$(feature perf 3-)"
	exit
fi
cp "$WORK" "$TMP/program"
HOME=$TMP/home
export HOME
mkdir "$HOME"

# user FILE [OPTION...]: stacks of the workload's user space, "function;function COUNT", most first.
user() {
	file=$1
	shift
	"$SONDE" profile -U --folded -p "$pid" --input "$file" "$@" 2>"$TMP/err" | sed -n 's/^[^;]*;//p' | sort
}
# functions NAME: which functions of that name are in the stacks of $TMP/got, each once.
functions() { tr ';' '\n' <"$TMP/got" | sed 's/ [0-9]*$//' | grep -o "${1}_[a-z]*" | sort -u | tr '\n' ' '; }

"$SONDE" record -o "$TMP/data" -F 499 "$TMP/program" chain 500 >"$TMP/job" 2>"$TMP/record.err"
pid=$(cut -f 2 "$TMP/job")
contains said "$TMP/record.err" '^sonde: record: [0-9]* functions have their names in the file$'
user "$TMP/data" >"$TMP/got"
wanted=$(functions chain)
contains here "$TMP/got" 'main;.*chain_outer;chain_inner;chain_often'

# The program is gone, and then another one is at its path.
cp "$TMP/got" "$TMP/wanted"
rm "$TMP/program"
user "$TMP/data" >"$TMP/got"
same gone "$TMP/wanted" "$TMP/got"
sed 's/chain_/other_/g' "$WORK" >"$TMP/program"
chmod +x "$TMP/program"
user "$TMP/data" >"$TMP/got"
same replaced "$TMP/wanted" "$TMP/got"

# The same functions as a live profile has.
cp "$WORK" "$TMP/program"
start_or_skip live "$(absences)" live profile -U --folded -F 499 && {
	"$TMP/program" chain 500 >"$TMP/job"
	stop live
	sed -n 's/^work;//p; s/^program;//p' "$TMP/live.out" >"$TMP/got"
	equal live "$wanted" "$(functions chain)"
}

# The names of the kernel are in the file, too: as it is read on another machine.
"$SONDE" profile -K --folded --input "$TMP/data" 2>"$TMP/err" >"$TMP/got"
if grep -q ' T _text$' /proc/kallsyms; then
	equal kernel 0 "$(grep -c 'functions of the kernel have no names' "$TMP/err")"
fi

# So are those of functions that fields of events point to: the reader needs no kallsyms.
"$SONDE" record -o "$TMP/works" -d $((2 * SLOW)) wqlat 2>"$TMP/record.err"
if grep -q 'no tracepoint' "$TMP/record.err"; then
	skip fields "$(head -n 1 "$TMP/record.err")"
elif grep -q ' T _text$' /proc/kallsyms; then
	"$SONDE" wqlat --csv --input "$TMP/works" 2>"$TMP/err" | sed '1d; s/.*,//' | sort -u >"$TMP/functions"
	between fields 1 "$(grep -c '^[a-z_]' "$TMP/functions")" 10000 || notes "$TMP/err"
	grep '^[a-z_]' "$TMP/functions" | while read -r f; do
		grep -aqF "$f" "$TMP/works" || echo "$f"
	done >"$TMP/got"
	same fields-in-file /dev/null "$TMP/got"
fi

# A stream has build ids; the file with the right one gives the names.
"$SONDE" record -o - -F 499 "$TMP/program" chain 500 2>"$TMP/job" >"$TMP/stream"
contains stream-said "$TMP/job" 'a stream has no names of functions'
pid=$(awk -F '\t' '$1 == "chain" { print $2 }' "$TMP/job")
user "$TMP/stream" >"$TMP/got"
if grep -q 'has no build ids' "$TMP/err"; then
	skip stream "this kernel notes no build ids, or the workload has none"
else
	equal stream "$wanted" "$(functions chain)"
	mkdir -p "$TMP/files$TMP"
	mv "$TMP/program" "$TMP/files$TMP/program"
	user "$TMP/stream" >"$TMP/got"
	equal stream-gone "" "$(functions chain)"
	contains stream-lack "$TMP/err" "functions of user space have no names: this machine has not the same .*: --symfs DIR takes"
	user "$TMP/stream" --symfs "$TMP/files" >"$TMP/got"
	equal symfs "$wanted" "$(functions chain)"
fi

# perf: what it names, and nothing once the program is another one.
if command -v perf >/dev/null && perf record -q -a -g -F 499 -N -o "$TMP/perf.data" -- "$WORK" chain 500 >"$TMP/job" 2>"$TMP/perf"; then
	cp "$WORK" "$TMP/program"
	perf record -q -a -g -F 499 -N -o "$TMP/perf.data" -- "$TMP/program" chain 500 >"$TMP/job" 2>"$TMP/perf"
	pid=$(cut -f 2 "$TMP/job")
	user "$TMP/perf.data" >"$TMP/got"
	equal perf "$wanted" "$(functions chain)"
	cp "$SONDE" "$TMP/program"
	user "$TMP/perf.data" >"$TMP/got"
	equal perf-replaced "" "$(functions '[a-z]*')"
else
	skip perf "perf is not here, or can't record"
fi

for o in "--symfs $TMP/none" "--symfs /etc/passwd"; do
	# shellcheck disable=SC2086
	"$SONDE" profile --input "$TMP/data" $o >"$TMP/out" 2>"$TMP/err"
	contains "symfs-${o##*/}" "$TMP/err" "can't read $TMP/none|/etc/passwd is no folder"
done
