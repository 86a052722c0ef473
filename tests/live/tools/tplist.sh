# SPDX-License-Identifier: GPL-2.0
# timeout: 60
#
# tplist: the kernel's tracepoints with their fields, and the probes (USDT) of the workload, by its path and its process;
# what has no probes says so.
. "${0%/*}/../lib.sh"

if [ -r $TRACEFS/available_events ]; then
	# Others make probes meanwhile, and the kernel's list loses lines then.
	for try in 1 2 3 4 5; do
		grep -vE '^(ftrace|sonde_[^:]*):' $TRACEFS/available_events | sort -u >"$TMP/wanted"
		"$SONDE" tplist >"$TMP/all"
		equal all-status 0 $? || break
		grep -vE '^(ftrace|sonde_[^:]*):' $TRACEFS/available_events | sort -u >"$TMP/again"
		! cmp -s "$TMP/wanted" "$TMP/again" || break
	done
	sort "$TMP/all" >"$TMP/got"
	same all "$TMP/wanted" "$TMP/got"
	"$SONDE" tplist -v sched:sched_process_exit >"$TMP/fields"
	contains fields "$TMP/fields" '^    pid_t pid;$'
	"$SONDE" tplist --json -v sched:sched_process_exit >"$TMP/json"
	contains fields-json "$TMP/json" '"system":"sched","name":"sched_process_exit",.*"type":"pid_t","field":"pid"}'
	"$SONDE" tplist 'sched:*' >"$TMP/plain"
	for mark in t tracepoint; do
		"$SONDE" tplist "$mark:sched:*" >"$TMP/marked"
		same marked-$mark "$TMP/plain" "$TMP/marked"
	done
	expect marked-some test -s "$TMP/plain"
	"$SONDE" tplist 'no_such:*' >"$TMP/none" 2>"$TMP/said"
	equal none-status 0 $?
	contains none "$TMP/said" 'no tracepoint matches'
else
	skip all 'tracefs can not be read'
fi

work=$(readlink -f "$WORK")
"$SONDE" tplist -l "$work" >"$TMP/got"
{
	printf "$work hotspot:%s\n" gc__begin gc__end mem__pool__gc__begin mem__pool__gc__end
	printf "$work postgresql:query__%s\n" done execute__done execute__start start
	echo "$work postgresql:statement__status"
	printf "$work sonde_%s:many\n" one two
	printf "$work sonde_work:%s\n" beat heard pick
} >"$TMP/wanted"
same file "$TMP/wanted" "$TMP/got"
"$SONDE" tplist -l "$work" -v 'sonde_work:*' >"$TMP/got"
equal places 4 "$(grep -c '^  location #[12] ' "$TMP/got")"
equal arguments 8 "$(grep -cE '^    argument #[123] [148] (un)?signed bytes @ .' "$TMP/got")"
LC_ALL=C sed 's/-4@/8f@/' "$work" >"$TMP/floats"
"$SONDE" tplist -l "$TMP/floats" -v 'sonde_work:*' >"$TMP/got"
contains no-integer "$TMP/got" '^    argument #[123] no integer @ .'
"$SONDE" tplist -l "$TMP/floats" -v --json 'sonde_work:*' >"$TMP/got"
contains no-integer-json "$TMP/got" '"type":null,"field":'
"$SONDE" tplist -l "$work" -v 'sonde_work:*' >"$TMP/got"
contains no-semaphore "$TMP/got" ':beat \[sema 0x0\]$'
contains semaphore "$TMP/got" ':heard \[sema 0x[1-9a-f][0-9a-f]*\]$'
"$SONDE" tplist -l "$work" --csv '*:heard' >"$TMP/got"
printf 'KIND,FILE,SYSTEM,NAME\nusdt,%s,sonde_work,heard\n' "$work" >"$TMP/wanted"
same csv "$TMP/wanted" "$TMP/got"

load w "$WORK" noop
"$SONDE" tplist -p "$(pid w)" '*:beat' >"$TMP/got"
go w
contains process "$TMP/got" ' sonde_work:beat$'

"$SONDE" tplist -l "$(readlink -f /bin/sh)" >"$TMP/got" 2>"$TMP/said"
equal without-status 0 $?
contains without "$TMP/said" 'built without probes'
"$SONDE" tplist -l no_such_library_anywhere 2>"$TMP/said"
equal unknown-status 1 $?
contains unknown "$TMP/said" 'there is no library libno_such_library_anywhere.so'
