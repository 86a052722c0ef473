# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# ext4dist and its kin: each operation of a known workload is counted once, in the histogram of its kind.
. "${0%/*}/../lib.sh"

if ! has_kprobes; then
	for b in $ENGINES; do
		refused no-kprobes-$b "no kprobes|$(absences $b)" fsdist -t ext4 --backend $b
	done
	skip counts "this kernel has no kprobes, and file systems have no events of their own"
	exit 0
fi
said() { grep -c "^fileop.*	$1	" "$TMP/w.said"; }

for type in ext4 xfs btrfs f2fs nfs; do
	filesystem counts-$type $type || continue
	for b in $ENGINES; do
		load w "$WORK" fileops 20 "$FOLDER" splice
		start_or_skip counts-$type-$b "$(absences $b)" s fsdist -t $type --backend $b --json 1 -p "$(pid w)" ||
			{ go w; continue; }
		go w
		stop s && equal ends-$type-$b 0 "$STATUS"
		lossless lost-$type-$b $b "$TMP/s.out" || continue
		equal reads-$type-$b "$(said R)" "$(counted "$TMP/s.out" operation read)"
		equal writes-$type-$b "$(said W)" "$(counted "$TMP/s.out" operation write)"
		equal opens-$type-$b "$(said O)" "$(counted "$TMP/s.out" operation open)"
		equal fsyncs-$type-$b "$(said S)" "$(counted "$TMP/s.out" operation fsync)"
		# Engines differ in nothing that has to do with the type.
		[ $type = ext4 ] || break
	done
done

# Who asks for attributes, as bcc's ext4dist counts it; text.
filesystem text ext4 && for b in $ENGINES; do
	: >"$FOLDER/file"
	load w "$WORK" stats 10 "$FOLDER/file"
	start_or_skip getattr-$b "$(absences $b)" s ext4dist --backend $b --json -p "$(pid w)" || { go w; continue; }
	start m ext4dist --backend $b -mT -p "$(pid w)"
	go w
	stop s
	stop m
	wanted=$(awk -F '\t' -v file="$FOLDER/file" '
		$1 == "stat" && $4 == 0 && substr($5, length($5) - length(file) + 1) == file { n++ }
		END { print n }' "$TMP/w.said")
	between getattr-$b "$wanted" "$(counted "$TMP/s.out" operation getattr)" $((2 * wanted + 20))
	contains text-banner-$b "$TMP/m.out" '^Tracing ext4 operation latency\.\.\. Hit Ctrl-C to end\.$'
	contains text-time-$b "$TMP/m.out" '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'
	contains text-operation-$b "$TMP/m.out" '^operation = getattr$'
	contains text-head-$b "$TMP/m.out" '^     msecs               : count     distribution$'
done
no_filesystem
clean left
quiet kernel-log
