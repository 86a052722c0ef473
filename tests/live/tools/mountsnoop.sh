# SPDX-License-Identifier: GPL-2.0
#
# mountsnoop: each call about mounts of a known workload is one row, on every engine, with its texts and namespace.
. "${0%/*}/../lib.sh"

wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "mount" { print $2, $3, $4, $5 }' "$1"; }
mkdir "$TMP/mnt"

rows() { fields "$1" pid tid mnt_ns line; }

for b in $ENGINES; do
	# The events of the system calls have no texts for the rings.
	if ! has_kprobes && [ $b != bpf ]; then
		refused rows-$b "this kernel has no kprobes, for mount" mountsnoop --backend $b
		continue
	fi
	# A machine made to look like an older one, whose kernel keeps what it could not read.
	start s mountsnoop --backend $b && stop s
	if grep -q 'a string may be wrong' "$TMP/s.err"; then
		skip rows-$b "$(grep 'a string may be wrong' "$TMP/s.err" | head -n 1)"
		continue
	fi
	both_abis $b "mounts $TMP/mnt" "mounts $TMP/mnt" mountsnoop || continue
	equal pieces-$b "mount	source	$TMP/mnt	tmpfs	size=1m	10	0" \
		"$(fields "$TMP/s.out" call source target fs data flags ret | grep '	source	' | head -n 1)"

	load w "$WORK" -c mine mounts "$TMP/mnt"
	start s mountsnoop --backend $b --name mine
	start p mountsnoop --backend $b -P -p "$(pid w)"
	go w
	stop s
	stop p
	equal head-$b "COMM             PID     TID     MNT_NS      CALL" "$(head -n 1 "$TMP/s.out")"
	wanted_rows "$TMP/w.said" | awk -F '\t' 'NR == 2 { printf "mine             %-7s %-7s %-11s mount(\"source\"", $1, $2, $3 }' \
		>"$TMP/wanted"
	sed -n 3p "$TMP/s.out" | cut -c 1-59 >"$TMP/got"
	equal text-$b "$(cat "$TMP/wanted")" "$(cat "$TMP/got")"
	equal head-parent-$b "COMM             PID     TID     PCOMM            PPID    MNT_NS      CALL" "$(head -n 1 "$TMP/p.out")"
	if grep -q 'mount.exit.ppid' "$TMP/p.err"; then
		parent=- pcomm=-
	else
		parent=$$ pcomm=$(cat /proc/$$/comm)
		! grep -q 'mount.exit.pcomm' "$TMP/p.err" || pcomm=-	# its place is known by type information only
	fi
	contains parent-$b "$TMP/p.out" "^mine +$(pid w) +$(pid w) +$pcomm +$parent +[0-9]+ +mount\\("
done

clean left
quiet kernel-log
