# SPDX-License-Identifier: GPL-2.0
#
# What KernelShark's library reads from a trace.dat of sonde record: as many entries of each event as sonde counts, and the
# same lines as `trace-cmd report`. KSHARK_ROOT: where the library and its headers are, with a loader and libraries of their
# own; else those of this machine.
. "${0%/*}/../lib.sh"

if ! has instances; then
	skip record "$(feature instances 3-)"
	exit
fi
TRACE_CMD=${TRACE_CMD:-trace-cmd}
root=${KSHARK_ROOT:-}
headers=$root/usr/include
CC=${CC:-cc}
if [ ! -e "$headers/kernelshark/libkshark.h" ]; then
	skip libkshark "KernelShark's library is not installed with its headers (libkshark-dev)"
	exit
elif ! command -v "$CC" >/dev/null; then
	skip libkshark "there is no compiler $CC"
	exit
fi
for library in "$root"/usr/lib/*-linux-gnu*/libkshark.so.2 "$root"/usr/lib*/libkshark.so.2; do
	[ ! -e "$library" ] || break
done
libraries=${library%/*}
for loader in "$libraries"/ld-linux*.so.?; do :; done
# What the library needs is of its own release, as is the C library.
if ! "$CC" -Wall -Wextra -Werror -isystem "$headers" -isystem "$headers/kernelshark" -o "$TMP/kshark" \
	"$LIVE/recordings/kshark.c" "$library" -Wl,--allow-shlib-undefined -Wl,-rpath-link,"$libraries" 2>"$TMP/err"; then
	fail built "$CC can't build kshark.c:"
	notes "$TMP/err"
	exit
fi
[ -z "$root" ] || export TRACEEVENT_PLUGIN_DIR="$libraries/traceevent/plugins"
kshark() {
	if [ -z "$root" ]; then
		"$TMP/kshark" "$@"
	else
		"$loader" --library-path "$libraries" "$TMP/kshark" "$@"
	fi
}
kshark >"$TMP/out" 2>"$TMP/err"
if [ $? != 2 ] || ! grep -q '^kshark FILE$' "$TMP/err"; then
	skip libkshark "it does not run here: $(head -n 1 "$TMP/err")"
	exit
fi

# It opens only what ends in .dat.
if ! "$SONDE" record --backend ftrace -m 4096 -o "$TMP/trace.dat" -e 'sched:*,task:*,signal:*,irq:*' \
	"$WORK" pingpong 500 >"$TMP/job" 2>"$TMP/err"; then
	fail record "$(grep -m 1 '^sonde' "$TMP/err")"
	exit
fi
"$SONDE" info --json "$TMP/trace.dat" >"$TMP/info"
kshark "$TMP/trace.dat" >"$TMP/entries" 2>"$TMP/err"
equal status 0 $?
# The library says so of each option that it does not know, and goes on.
grep -v '^unknown option 20[01]$' "$TMP/err" >"$TMP/complaints"
equal silent 0 "$(grep -c . "$TMP/complaints")" || notes "$TMP/complaints"

# A gap is an entry, too.
grep -v '	missed_events	' "$TMP/entries" >"$TMP/events"
equal entries "$("$WORK" json seen <"$TMP/info")" "$(wc -l <"$TMP/events")"
tr '{' '\n' <"$TMP/info" | sed -n 's/^"event": "\([^:"]*\):\([^"]*\)", "count": \([1-9][0-9]*\)}.*/\1\/\2 \3/p' | sort >"$TMP/wanted"
awk -F '\t' '{ n[$5]++ } END { for (event in n) print event, n[event] }' "$TMP/events" | sort >"$TMP/got"
same events "$TMP/wanted" "$TMP/got"
expect kinds test "$(wc -l <"$TMP/got")" -ge 5

# The workload's two processes: each waits once in a round for the other.
name=${WORK##*/}
pids=$(awk -F '\t' '$1 == "pingpong" { print $2, $3 }' "$TMP/job")
equal workload 2 "$(echo "$pids" | wc -w)"
which=first
for pid in $pids; do
	awk -F '\t' -v pid="$pid" '$3 == pid' "$TMP/events" >"$TMP/of-pid"
	equal name-$which "$name" "$(cut -f 4 "$TMP/of-pid" | sort -u)"
	between switches-$which 500 "$(grep -c '	sched/sched_switch	' "$TMP/of-pid")" 10000
	which=second
done

# CPU, ns, pid, name, event and text of each.
if ! command -v "$TRACE_CMD" >/dev/null; then
	skip report "$TRACE_CMD is not installed"
	exit
fi
"$TRACE_CMD" report -t -i "$TMP/trace.dat" 2>"$TMP/err" |
	sed -n 's/^ *\(.*\)-\([0-9]*\) *\[0*\([0-9][0-9]*\)\] *[^ ]* *\([0-9]*\)\.\([0-9]\{9\}\): *\([^: ]*\): *\(.*\)$/\3 \4\5 \2 \1 \6 \7/p' |
	sed 's/  */ /g; s/ $//' | sort >"$TMP/wanted"
awk -F '\t' '{ sub(/.*\//, "", $5); print }' "$TMP/events" | sed 's/  */ /g; s/ $//' | sort >"$TMP/got"
same report "$TMP/wanted" "$TMP/got"
