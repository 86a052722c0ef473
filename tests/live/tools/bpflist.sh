# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# bpflist: the programs and maps of a known process are listed with it, as many as it has open; runs of its programs are
# counted; formats; misuse.
. "${0%/*}/../lib.sh"

has bpf || { skip bpf "no BPF here"; exit; }
"$SONDE" bpflist >"$TMP/first" 2>&1
equal ends 0 $?
contains head "$TMP/first" '^PID     COMM             TYPE   COUNT$'

start_or_skip holder "$(absences bpf)" s opensnoop --backend bpf || exit 0
# The launcher runs sonde: its pid is sonde's.
holder=$(pid s)
open=$(for fd in /proc/$holder/fd/*; do readlink "$fd"; done | grep -c '^anon_inode:bpf-map$')
"$SONDE" bpflist --json >"$TMP/all"
equal maps "$open" "$(fields "$TMP/all" pid type count | awk -F '\t' -v pid="$holder" '$1 == pid && $2 == "map" { print $3 }')"
# Its probes: as many as descriptors of perf events, if the kernel tells their programs.
events=$(for fd in /proc/$holder/fd/*; do readlink "$fd"; done | grep -c '^anon_inode:\[perf_event\]$')
"$SONDE" bpflist -v --json >"$TMP/v"
"$SONDE" bpflist -vv --json >"$TMP/vv"
counted=$(fields "$TMP/v" pid type count | awk -F '\t' -v pid="$holder" '$1 == pid && $2 ~ /probe|point/ { n += $3 } END { print n + 0 }')
between probes 0 "$counted" "$events"
equal probes-listed "$counted" "$(fields "$TMP/vv" pid place | grep -c "^$holder	")"
[ "$counted" = 0 ] && skip places "opensnoop has no perf events here, or the kernel does not tell their programs" ||
	contains places "$TMP/vv" '"type":"[a-z_]*(probe|tracepoint)","place":"[a-z_]+'
equal with-probes "$open" "$(fields "$TMP/v" pid type count | awk -F '\t' -v pid="$holder" '$1 == pid && $2 == "map" { print $3 }')"
"$SONDE" bpflist -M --json >"$TMP/maps" 2>"$TMP/maps.err"
if grep -q 'since 4.13' "$TMP/maps.err"; then
	skip objects "$(cat "$TMP/maps.err")"
else
	equal objects "$open" "$(fields "$TMP/maps" pid | grep -c "^$holder$")"
	contains map "$TMP/maps" '"type":"hash","name":"start","key_bytes":4,'
	"$SONDE" bpflist -P --json >"$TMP/programs"
	between programs 2 "$(fields "$TMP/programs" pid | grep -c "^$holder$")" 20
fi
"$SONDE" bpflist -L >"$TMP/links" 2>&1
contains links "$TMP/links" '^ID     TYPE                   PROG   PID     COMM             OTHERS$|since 5.8'

# A thousand opens at least, within the interval.
{
	sleep 0.7
	i=0
	while [ $i -lt 1000 ]; do
		: </dev/null
		i=$((i + 1))
	done
} &
opens=$!
"$SONDE" bpflist -t -i $((3 * SLOW)) --json >"$TMP/time" 2>"$TMP/time.err"
STATUS=$?
wait $opens
if grep -q 'since 5.8' "$TMP/time.err"; then
	skip time "$(cat "$TMP/time.err")"
else
	equal time-ends 0 $STATUS
	between runs 1000 "$(fields "$TMP/time" pid runs | awk -F '\t' -v pid="$holder" '$1 == pid { n += $2 } END { print n + 0 }')" 100000000
	equal costs 0 "$(fields "$TMP/time" runs us_per_run | awk -F '\t' '($1 > 0) != ($2 > 0)' | wc -l)"
	"$WORK" signals "$SONDE" bpflist --top >"$TMP/top" 2>&1 &
	top=$!
	running="$running $top"
	sleep $((3 * SLOW))
	kill -INT $top
	wait $top
	equal top-ends 0 $?
	between tables 2 "$(grep -c '^ID     TYPE' "$TMP/top")" $((5 * SLOW))
	"$SONDE" bpflist -t --csv >"$TMP/csv"
	equal csv-heads 1 "$(grep -c '^TIME,ID,TYPE' "$TMP/csv")"
	"$SONDE" bpflist --top | head -n 2 >"$TMP/closed"
	equal closed-pipe 2 "$(wc -l <"$TMP/closed")"
fi
stop s
equal gone 0 "$("$SONDE" bpflist --json | "$WORK" json pid | grep -c "^$holder$")"

# Who may not look into others' processes is told so.
if setpriv --reuid 65534 --clear-groups "$SONDE" bpflist >"$TMP/nobody" 2>"$TMP/nobody.err"; then
	contains denied "$TMP/nobody.err" 'processes are missing, because only root may look into them'
	contains unheld "$TMP/nobody.err" 'objects that no process has open are missing: no permission'
else
	skip denied "sonde can't be run as another user here"
fi

for wrong in '-P -v' '-P -M' '-M -L' '-L -t' '-M --top' '-i 2' '-t -i 0' '--duration 3' rest; do
	# shellcheck disable=SC2086
	"$SONDE" bpflist $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
