# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# vfsstat: what a known workload does with files, on every engine; nobody else's; text.
. "${0%/*}/../lib.sh"

if ! has_kprobes; then
	for b in $ENGINES; do
		refused no-kprobes-$b 'vfs.read: this kernel has no kprobes, for vfs_read' vfsstat --backend $b
	done
	exit 0
fi
head='TIME         READ/s  WRITE/s  FSYNC/s   OPEN/s CREATE/s UNLINK/s  MKDIR/s  RMDIR/s'
folder calls || exit 0
mkdir "$TMP/tmpfs" && mount -t tmpfs none "$TMP/tmpfs" || exit 0
cleanup_hook() { umount "$TMP/tmpfs"; }

# As kernels without security modules: by the functions where they run, and else by the system calls.
asks=function:security_inode_unlink,function:security_inode_mkdir,function:security_inode_rmdir
functions=function:vfs_unlink,function:vfs_mkdir,function:vfs_rmdir

for b in $ENGINES; do
	for dir in folder tmpfs functions calls; do
		without= where=$TMP/$dir
		case $dir in
		functions) without="--without $asks" where=$TMP/tmpfs ;;
		calls) without="--without $asks,$functions" where=$TMP/tmpfs ;;
		esac
		load w "$WORK" vfs 50 "$where"
		start_or_skip $dir-$b "$(absences $b)|this kernel has none of its probes" s \
			vfsstat --backend $b $without --buffer-pages 256 --json -p "$(pid w)" 1 || { go w; continue; }
		go w
		stop s && equal ends-$b 0 "$STATUS"
		# An i686 before 5.7 has system calls that can't be probed.
		if [ $dir = calls ] && grep -q '"missing":\["vfs' "$TMP/s.out"; then
			skip calls-$b "this kernel's system calls can't be probed"
			continue
		fi
		lossless lost-$dir-$b $b "$TMP/s.out" || continue
		fields "$TMP/s.out" reads writes fsyncs opens creates unlinks mkdirs rmdirs seconds >"$TMP/rows"
		# The workload's own words are one or two writes more.
		awk -v OFS='\t' '{ for (i = 1; i <= NF; i++) n[i] += $i }
			END { print n[1], n[2] - 1, n[3], n[4], n[5], n[6], n[7], n[8] }' "$TMP/rows" >"$TMP/got"
		# Each file is removed twice; that the second does not work, system calls don't know when they begin.
		sed -n 's/^vfs	//p' "$TMP/w.said" |
			awk -F '\t' -v OFS='\t' -v calls=$dir -v vectors="$(grep -c 'the like are not counted' "$TMP/s.err")" '
				{ if (calls == "calls") $6 *= 2; if (vectors) { $1 -= $9; $2 -= $9 }; NF = 8; print }' >"$TMP/wanted"
		same $dir-$b "$TMP/wanted" "$TMP/got"
	done

	# Everybody's, as text, a second.
	load w "$WORK" vfs 300 "$TMP/folder"
	start s vfsstat --backend $b --buffer-pages 1024 3600
	began=$(date +%s)
	go w
	sleep 2
	stop s
	took=$(($(date +%s) - began))
	equal head-$b "$head" "$(head -n 1 "$TMP/s.out")"
	equal rows-$b 1 "$(sed 1d "$TMP/s.out" | grep -cE '^[0-9:]{8} +[0-9]+( +[0-9]+){7}$')"
	between mkdirs-$b $((300 / (took + 1))) "$(awk 'NR == 2 { print $8 }' "$TMP/s.out")" 150
done
clean left
quiet kernel-log
