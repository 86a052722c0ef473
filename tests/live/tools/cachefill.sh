# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# cachefill: a known number of pages of a file is read and written, on every engine; its path, also a hostile one; files that
# are gone; filters, order and text.
. "${0%/*}/../lib.sh"

folder pages || exit 0
N=$((8000 / $(page_kb)))
hostile=$(printf 'new\nline \033[2J')
# rows FILE INODE: pages and path of this file, in all tables.
rows() { fields "$1" device inode pages file | awk -F '\t' -v file="${DISK#/dev/} $2" '$1 " " $2 == file { print $3, $4 }'; }
pages() { rows "$@" | awk '{ n += $1 } END { print n + 0 }'; }
paths() { rows "$@" | sed 's/^[0-9]* //' | sort -u; }
# all NAME PAGES: a read at the end of a file adds a page, before 5.12. Kernels may add the first page of a file twice.
all() { between "$1" $N "$2" $((N + 1)); }
inode() { ls -i "$1" | awk '{ print $1; exit }'; }

# path NAME WANTED GOT: a path, where the kernel finds files by their numbers.
path() {
	if grep -q 'paths of files are unknown' "$TMP/s.err"; then
		skip "$1" "$(grep 'paths of files are unknown' "$TMP/s.err")"
		equal "$1-unknown" - "$3"
	else
		equal "$@"
	fi
}

mkdir "$FOLDER/$hostile"
for b in $ENGINES; do
	file=$FOLDER/$hostile/file
	"$WORK" dirty "$file" $N >/dev/null
	"$WORK" drop "$file"
	load w "$WORK" readback "$file"
	start_or_skip read-$b "$(absences $b)" s cachefill --backend $b --buffer-pages 1024 --json 3600 || { go w; continue; }
	start p cachefill --backend $b --buffer-pages 1024 --json -p "$(pid w)" 1
	start o cachefill --backend $b --buffer-pages 1024 --json -p 1 3600
	go w
	for id in s p o; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	lossless read-lost-$b $b "$TMP/s.out" || continue
	all read-$b "$(pages "$TMP/s.out" "$(inode "$file")")"
	lossless process-lost-$b $b "$TMP/p.out" && all process-$b "$(pages "$TMP/p.out" "$(inode "$file")")"
	equal others-$b 0 "$(pages "$TMP/o.out" "$(inode "$file")")"
	path path-$b "$FOLDER/new\\x0aline\\x20\\x1b[2J/file" "$(paths "$TMP/s.out" "$(inode "$file")")"

	# What is in the cache already does not come into it, but for what somebody who reclaims memory takes out of it
	# meanwhile. What is written comes once.
	load w "$WORK" readback "$file"
	start s cachefill --backend $b --buffer-pages 1024 --json 3600
	out=$((N - $("$WORK" cached "$file" | cut -f 4)))
	go w
	stop s
	lossless again-lost-$b $b "$TMP/s.out" && between again-$b $out "$(pages "$TMP/s.out" "$(inode "$file")")" $((out + N / 100))
	load w "$WORK" dirty "$FOLDER/gone" $N
	start s cachefill --backend $b --buffer-pages 1024 --json 3600
	go w
	number=$(inode "$FOLDER/gone")
	rm "$FOLDER/gone"
	stop s
	lossless written-lost-$b $b "$TMP/s.out" || continue
	all written-$b "$(pages "$TMP/s.out" "$number")"
	equal gone-$b - "$(paths "$TMP/s.out" "$number")"
	rm "$file"
done
rmdir "$FOLDER/$hostile"

# As text, under its other name.
"$WORK" dirty "$FOLDER/file" $N >/dev/null
"$WORK" drop "$FOLDER/file"
load w "$WORK" readback "$FOLDER/file"
start_or_skip text "$(absences bpf)" s cachestat --by-file -p "$(pid w)" -C -r 1 3600 || { go w; clean left; exit; }
go w
stop s
n=$(awk '$1 > 0 && NF == 5 { n = $1 } END { print n + 0 }' "$TMP/s.out")
all text-pages $n
printf '%8d %10d %-10s %-10s %s\n' $n $((n * $(page_kb))) "${DISK#/dev/}" "$(inode "$FOLDER/file")" "$FOLDER/file" \
	>"$TMP/row"
equal head 1 "$(grep -c '^   PAGES         KB DEVICE     INODE      FILE$' "$TMP/s.out")"
path text "$(cat "$TMP/row")" "$(sed '1,/^   PAGES/d; s/.* -$/-/' "$TMP/s.out")"

# Another file system above the mount hides its files.
mount -t tmpfs tmpfs "$FOLDER" 2>/dev/null && {
	umount "$FOLDER"
	exec 7<"$FOLDER/file"
	"$WORK" drop "$FOLDER/file"
	load w "$WORK" readback /proc/$$/fd/7
	start s cachefill --json -p "$(pid w)" 3600
	mount -t tmpfs tmpfs "$FOLDER"
	go w
	stop s
	umount "$FOLDER"
	exec 7<&-
	all hidden-pages "$(pages "$TMP/s.out" "$(inode "$FOLDER/file")")"
	equal hidden - "$(paths "$TMP/s.out" "$(inode "$FOLDER/file")")"
}

# In a chroot that shows no mount of the file, its path is the one that process 1 has for it.
root=$TMP/root
mkdir -p "$root/proc" "$root/sys"
cp "$SONDE" "$root/sonde"
# Mounts of a namespace of its own: none is left in this folder.
cat >"$TMP/in-root" <<EOF
#!/bin/sh
exec unshare -m sh -c 'mount --rbind /proc "$root/proc" && mount --rbind /sys "$root/sys" && exec chroot "$root" /sonde "\$@"' sh "\$@"
EOF
chmod +x "$TMP/in-root"
if [ ! -e "/proc/1/root$FOLDER/file" ]; then
	skip chroot "process 1 does not see the folder of this test"
elif ! "$TMP/in-root" --version >/dev/null 2>&1; then
	skip chroot "nothing can be mounted into a folder, or run in it, here"
else
	whole=$SONDE SONDE=$TMP/in-root
	"$WORK" drop "$FOLDER/file"
	load w "$WORK" readback "$FOLDER/file"
	start_or_skip chroot "$(absences bpf)" s cachefill --json -p "$(pid w)" 3600
	go w
	stop s
	SONDE=$whole
	path chroot "$FOLDER/file" "$(paths "$TMP/s.out" "$(inode "$FOLDER/file")")"
fi
clean left
quiet kernel-log
