# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# filelife: each file of a known workload that is made and removed is one row with its age, and no other is, on every
# engine and by all ways to see a file made and removed; on a disk and in memory; filters; text.
. "${0%/*}/../lib.sh"

if ! has_kprobes; then
	for b in $ENGINES; do
		refused no-kprobes-$b 'made.file: this kernel has no kprobes, for do_dentry_open' filelife --backend $b
	done
	exit 0
fi
folder files || exit 0
mkdir "$TMP/tmpfs" && mount -t tmpfs none "$TMP/tmpfs" || exit 0
cleanup_hook() { umount "$TMP/tmpfs"; }
# What is on the disk is not in the kernel's memory: files that are there have to be looked up.
anew() {
	umount "$FOLDER" && mount "$DISK" "$FOLDER" && : >"$FOLDER/old" && : >"$FOLDER/older" && sync &&
		umount "$FOLDER" && mount "$DISK" "$FOLDER"
	: >"$TMP/tmpfs/old"
	: >"$TMP/tmpfs/older"
}
# lived NAME SAID OUT: the rows, and ages within a second of the truth.
lived() {
	awk -F '\t' -v OFS='\t' '$1 == "life" { print $2, $3, $5 }' "$2" >"$TMP/wanted"
	fields "$3" pid comm file age_s | cut -f 1-3 >"$TMP/got"
	same "$1" "$TMP/wanted" "$TMP/got" || return
	fields "$3" age_s >"$TMP/ages"
	awk -F '\t' '$1 == "life" { print $4 / 1000 }' "$2" | paste "$TMP/ages" - |
		awk -v slow="$SLOW" '$1 < $2 - 0.01 || $1 > $2 + slow { print; wrong = 1 } END { exit wrong }' >"$TMP/wrong"
	equal ages-"$1" 0 $? || notes "$TMP/wrong"
}

for b in $ENGINES; do
	# By what is asked of security modules, and by inodes where there are none; and removals where vfs_unlink() does not run.
	for way in flag found names inodes done; do
		# Since 4.19 a file's f_mode tells that it was made.
		without= made=do_dentry_open
		! older 4.19 || made=d_instantiate
		case $way in
		flag)
			[ -e /sys/kernel/btf/vmlinux ] || { skip flag-$b "this kernel has no type information"; continue; } ;;
		found) without='--without btf' ;;
		names) without='--without member:file.f_mode' made=d_instantiate ;;
		inodes)
			without='--without btf,member:file.f_mode,function:security_inode_create,function:vfs_create'
			made=d_instantiate ;;
		done) without='--without function:vfs_unlink,btf' ;;
		esac
		for dir in folder tmpfs; do
			anew
			load w "$WORK" -c 'f\x0a"' lives "$TMP/$dir"
			start_or_skip $way-$dir-$b "$(absences $b)" s filelife --backend $b $without --json -p "$(pid w)" ||
				{ go w; continue; }
			go w
			stop s && equal ends-$b 0 "$STATUS"
			lived $way-$dir-$b "$TMP/w.said" "$TMP/s.out"
			equal lost-$way-$dir-$b 0 "$(reported "$TMP/s.out" lost)"
			contains family-$way-$b "$TMP/s.err" \
				"made.file: kprobe $made"
			[ $way != done ] || contains done-$b "$TMP/s.err" "unlink.exit: kretprobe d_delete"
		done
	done

	# As bcc's text; who removes it, not who made it.
	anew
	load w "$WORK" -c mine lives "$TMP/folder"
	load o "$WORK" lives "$TMP/tmpfs"
	start_or_skip text-$b "$(absences $b)" s filelife --backend $b --name mine || { go w o; continue; }
	go w o
	stop s
	{
		echo "TIME     PID    COMM             AGE(s)  FILE"
		awk -F '\t' '$1 == "life" { gsub(/\\x20/, " ", $5); printf "TIME     %-6s %-16s AGE     %s\n", $2, $3, $5 }' "$TMP/w.said"
	} >"$TMP/wanted"
	sed 's/^[0-9:]\{8\} /TIME     /; s/ [0-9]*\.[0-9][0-9]  *\([^ ]\)/ AGE     \1/' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
done
clean left
quiet kernel-log
