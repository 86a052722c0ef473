# SPDX-License-Identifier: GPL-2.0
#
# sonde record where perf_event_open(2) is that of an older kernel: each gets the newest form of events that it takes, and of
# each form the file tells what the workload did.
. "${0%/*}/../lib.sh"

if ! has perf; then
	skip record "$(feature perf 3-)"
	exit
fi
if ! "$WORK" as-kernel 3.10 true 2>"$TMP/err"; then
	skip record "$(head -n 1 "$TMP/err")"
	exit
fi
. "$LIVE/recorder.sh"

# form KERNEL PATTERN...: what perf says of an attribute (of the first event, which has all of it), and, behind !, must not.
form() {
	kernel=$1
	shift
	label=as-$kernel
	"$WORK" as-kernel "$kernel" "$SONDE" record -o "$TMP/data" -F 199 -e sched:sched_process_exit,sched:sched_switch \
		sh -c '"$1" execs 20; exec "$1" spin 1 1000' sh "$WORK" >"$TMP/job" 2>"$TMP/record.err"
	equal "$label-status" 0 $? || notes "$TMP/record.err"
	# What tracepoints tell, and the names of tasks.
	awk '$1 == "exec" && $8 == 0 { print $2, $6 }' "$TMP/job" | sort >"$TMP/wanted"
	"$SONDE" exitsnoop --csv --input "$TMP/data" 2>"$TMP/err" |
		awk -F, 'NR == FNR { mine[$1] = 1; next } $2 in mine { print $2, $1 }' FS=' ' "$TMP/wanted" FS=, - | sort >"$TMP/got"
	same "$label-rows" "$TMP/wanted" "$TMP/got"
	# Samples, with stacks of user space.
	us=$(awk '$1 == "spin" { print $5 }' "$TMP/job")
	"$SONDE" profile -p "$(awk '$1 == "spin" { print $2 }' "$TMP/job")" --folded --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
	between "$label-samples" $((us * 199 / 1000000 / 2)) "$(awk '{ n += $NF } END { print n + 0 }' "$TMP/out")" \
		$((us * 199 / 1000000 * 5 / 4 + 10))
	command -v perf >/dev/null || return 0
	perf script -i "$TMP/data" -F comm,pid,time,event,ip,sym >"$TMP/script" 2>"$TMP/err"
	equal "$label-perf-silent" 0 "$(wc -l <"$TMP/err")" || notes "$TMP/err"
	perf script -i "$TMP/data" -F event >"$TMP/script" 2>"$TMP/err"
	equal "$label-perf" "$("$SONDE" info --json "$TMP/data" | "$WORK" json seen)" "$(grep -c . "$TMP/script")"
	perf evlist -v -i "$TMP/data" 2>"$TMP/err" | head -n 1 | tr ',' '\n' >"$TMP/attr"
	for pattern; do
		case $pattern in
		!*) equal "$label-no-${pattern#!}" 0 "$(grep -c "^ *${pattern#!}:" "$TMP/attr")" ;;
		*) contains "$label-$pattern" "$TMP/attr" "^ *$pattern:" ;;
		esac
	done
}
form 3.10 sample_id_all !mmap2 !comm_exec !use_clockid
contains as-3.10-id "$TMP/attr" '\|ID\||\|ID$'
form 3.12 sample_id_all !mmap2 !comm_exec !use_clockid
form 3.16 mmap2 comm_exec !use_clockid
form 4.1 mmap2 comm_exec use_clockid
form 5.12 mmap2 comm_exec use_clockid build_id

# A stream of the oldest form.
"$WORK" as-kernel 3.10 "$SONDE" record -o - -e sched:sched_process_exit "$WORK" execs 20 2>"$TMP/job" |
	"$SONDE" exitsnoop --csv --input - >"$TMP/out" 2>"$TMP/err"
awk -F '\t' '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/job" | sort >"$TMP/wanted"
awk -F, 'NR == FNR { mine[$1] = 1; next } $2 in mine { print $2 }' "$TMP/wanted" "$TMP/out" | sort >"$TMP/got"
same stream "$TMP/wanted" "$TMP/got"

# Rings that overwrite their oldest records: with 4.7.
"$WORK" as-kernel 4.6 "$SONDE" record --last 2s -o "$TMP/none" -e sched:sched_switch true >"$TMP/out" 2>"$TMP/err"
equal last-status 1 $?
contains last "$TMP/err" 'rings of this kernel do not overwrite their oldest records .Linux 4.7 does'
equal last-folder no "$([ -e "$TMP/none" ] && echo yes || echo no)"
"$WORK" as-kernel 4.7 "$SONDE" record --last 2s -o "$TMP/last" -e sched:sched_switch sh -c 'exit 3' >"$TMP/out" 2>"$TMP/err"
equal last-4.7-status 3 $?
contains last-4.7 "$TMP/err" '/flight-0001: [1-9][0-9]* events'
