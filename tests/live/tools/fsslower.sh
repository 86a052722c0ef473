# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# ext4slower and its kin: each operation of a known workload on a file system of that type is one row, on every engine,
# however often functions call each other; others' files are not shown; text, CSV; what is not there says why.
. "${0%/*}/../lib.sh"
cleanup_hook() { cd /; }

if ! has_kprobes; then
	for b in $ENGINES; do
		refused no-kprobes-$b "no kprobes|$(absences $b)" ext4slower --backend $b
	done
	skip rows "this kernel has no kprobes, and file systems have no events of their own"
	exit 0
fi

# The rows that sonde should have for what the workload said: pid comm type bytes offset file.
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "fileop" { print $2, $3, $4, $5, $6, $7 }' "$@"; }
rows() { fields "$1" pid comm type bytes offset file; }

for type in ext4 xfs btrfs f2fs nfs; do
	filesystem rows-$type $type || continue
	other=$TMP/other
	mkdir -p "$other"
	for b in $ENGINES; do
		load w "$WORK" -c 'w\x0a"' fileops 3 "$FOLDER" splice
		load o "$WORK" fileops 1 "$other" splice
		start_or_skip rows-$type-$b "$(absences $b)" s ${type}slower --backend $b --json -p "$(pid w),$(pid o)" 0 ||
			{ go w o; continue; }
		go w o
		stop s && equal ends-$type-$b 0 "$STATUS"
		rows "$TMP/s.out" >"$TMP/got" || fail json-$type-$b "$(rows "$TMP/s.out" 2>&1 | tail -n 1)"
		wanted_rows "$TMP/w.said" >"$TMP/wanted"
		lossless lost-$type-$b $b "$TMP/s.out" && same rows-$type-$b "$TMP/wanted" "$TMP/got"
		contains missing-none-$type-$b "$TMP/s.out" '"missing":\[\]'
		# Engines differ in nothing that has to do with the type.
		[ $type = ext4 ] || break
	done
done

# Text and CSV as bcc's, of the first there is.
for type in ext4 xfs btrfs; do
	filesystem text-$type $type || continue
	for b in $ENGINES; do
		load w "$WORK" fileops 1 "$FOLDER"
		start_or_skip text-$b "$(absences $b)" s ${type}slower --backend $b 0 -p "$(pid w)" || { go w; continue; }
		start c ${type}slower --backend $b -j 0 -p "$(pid w)"
		go w
		stop s
		stop c
		{
			echo "Tracing $(echo $type | sed 's/xfs/XFS/') operations"
			echo "TIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) FILENAME"
			awk -F '\t' '{
				file = $7
				gsub(/\\x20/, " ", file)
				gsub(/\\x22/, "\"", file)
				printf "%-14s %-6s %1s %-7s %s LAT %s\n", $3, $2, $4, $5, $6 == "-" ? "-" : int($6 / 1024), file
			}' "$TMP/w.said"
		} >"$TMP/wanted"
		sed -E 's/^[0-9]{2}:[0-9]{2}:[0-9]{2} //; s/ +[0-9]+\.[0-9]{2} / LAT /' "$TMP/s.out" >"$TMP/got"
		same text-$b "$TMP/wanted" "$TMP/got"
		contains csv-head-$b "$TMP/c.out" '^ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE'
		contains csv-$b "$TMP/c.out" "^[0-9]+,work,[0-9]+,W,5000,20480,[0-9]+,"
	done
	# What is shown as long took as long as was asked for; nothing takes 100 s.
	load w "$WORK" fileops 20 "$FOLDER"
	start s ${type}slower --json -p "$(pid w)" 1 && start t fsslower -t $type -m 100000 --json -p "$(pid w)" || break
	go w
	stop s
	stop t
	equal fast 0 "$(fields "$TMP/t.out" type | wc -l)"
	equal slow 0 "$(fields "$TMP/s.out" lat_us | awk '$1 < 1000' | wc -l)"
	break
done

# Many tasks at a time within one function: kernels remember where to return to for few of them, unless told.
filesystem many ext4 && for b in $ENGINES; do
	start_or_skip many-$b "$(absences $b)" s ext4slower --backend $b --json 0 --name ofmany || continue
	n=0
	while [ $n -lt 40 ]; do
		mkdir -p "$FOLDER/$n"
		"$WORK" -c ofmany fileops 3 "$FOLDER/$n" >"$TMP/many.$n" &
		running="$running $!"
		n=$((n + 1))
	done
	for p in $(echo "$running" | tr ' ' '\n' | tail -n 40); do
		wait "$p"
	done
	stop s
	lossless many-lost-$b $b "$TMP/s.out" || continue
	if grep -q '"missed":[1-9]' "$TMP/s.out" && ! grep -q 'r\[maxactive\]' "$TRACEFS/README"; then
		skip many-$b "this kernel can't be told to remember more returns, and sonde says how many it missed"
	else
		equal many-$b "$(cat "$TMP"/many.* | grep -c ^fileop)" "$(fields "$TMP/s.out" type | wc -l)"
	fi
done

# With its directories, from its file system's root; from the ninth on they are left out. Records one by one, too.
filesystem path ext4 && for b in $ENGINES; do
	deep="$FOLDER/1/2 2/3/4/5/6/7/8"
	mkdir -p "$deep/9/10"
	if [ $b != bpf ]; then
		refused path-$b "only BPF programs can follow|$(absences $b)" ext4slower -F --backend $b
		continue
	fi
	for without in bpf-names ringbuf; do
		load w "$WORK" fileops 1 "$FOLDER/1/2 2"
		load e "$WORK" fileops 1 "$deep"
		load d "$WORK" fileops 1 "$deep/9/10"
		start_or_skip path-$b-$without "$(absences $b)" s ext4slower --backend $b --without $without -F --json 0 \
			-p "$(pid w),$(pid e),$(pid d)" || { go w e d; continue; }
		go w e d
		stop s
		{
			wanted_rows "$TMP/w.said" | awk -F '\t' -v OFS='\t' '{ $6 = "/1/2\\x202/" $6; print }'
			wanted_rows "$TMP/e.said" | awk -F '\t' -v OFS='\t' '{ $6 = ".../1/2\\x202/3/4/5/6/7/8/" $6; print }'
			wanted_rows "$TMP/d.said" | awk -F '\t' -v OFS='\t' '{ $6 = ".../3/4/5/6/7/8/9/10/" $6; print }'
		} >"$TMP/wanted"
		rows "$TMP/s.out" >"$TMP/got"
		same path-$b-$without "$TMP/wanted" "$TMP/got"
	done
done

# Reads by a function that other file systems share: only this one's are shown, by type information or without.
filesystem shared ext4 && for way in known found; do for b in $ENGINES; do
	no_own=--without=function:ext4_file_read_iter,function:btrfs_file_read_iter
	[ $way = known ] || no_own=$no_own,btf
	load w "$WORK" fileops 1 "$FOLDER"
	start_or_skip shared-$way-$b "offset of inode.i_sb is not known|$(absences $b)" s ext4slower --backend $b --json 0 \
		-p "$(pid w)" $no_own || { go w; continue; }
	modprobe btrfs 2>/dev/null
	start o btrfsslower --backend $b --json 0 -p "$(pid w)" $no_own
	go w
	stop s
	stop o
	if grep -q '^sonde: ext4slower: reads are not shown' "$TMP/s.err"; then
		wanted_rows "$TMP/w.said" | grep -v '	R	' >"$TMP/wanted"
		contains shared-why-$way-$b "$TMP/s.err" 'offset of inode.i_sb is not known'
	else
		wanted_rows "$TMP/w.said" >"$TMP/wanted"
	fi
	rows "$TMP/s.out" >"$TMP/got"
	same shared-$way-$b "$TMP/wanted" "$TMP/got"
	rows "$TMP/o.out" >"$TMP/got"
	: >"$TMP/wanted"
	same not-shared-$way-$b "$TMP/wanted" "$TMP/got"
	break
done; done

# Where the path of members is unknown, names are; the rest is right.
filesystem unknown ext4 && for b in $ENGINES; do
	load w "$WORK" fileops 1 "$FOLDER"
	start_or_skip unknown-$b "$(absences $b)" s ext4slower --backend $b --json 0 -p "$(pid w)" \
		--without btf,function:vfs_read,function:shmem_file_llseek || { go w; continue; }
	go w
	stop s
	wanted_rows "$TMP/w.said" | awk -F '\t' -v OFS='\t' '{ print $1, $3, $4 }' >"$TMP/wanted"
	fields "$TMP/s.out" pid type bytes >"$TMP/got"
	same unknown-$b "$TMP/wanted" "$TMP/got"
	equal unknown-names-$b "$(wc -l <"$TMP/wanted")" "$(grep -c '"file":null' "$TMP/s.out")"
	contains unknown-why-$b "$TMP/s.err" 'offset of file.f_path.dentry is not known'
	# The same found at run time.
	load w "$WORK" fileops 1 "$FOLDER"
	start s ext4slower --backend $b --json 0 -p "$(pid w)" --without btf
	go w
	stop s
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	rows "$TMP/s.out" >"$TMP/got"
	same found-$b "$TMP/wanted" "$TMP/got"
done
no_filesystem

grep -qw zpl_open /proc/kallsyms || refused no-zfs 'modprobe zfs' zfsslower
grep -q ' nfs_file_read' /proc/kallsyms || modprobe nfs 2>/dev/null
for tool in nfsslower nfsdist; do
	if grep -q ' nfs_file_read' /proc/kallsyms; then
		start nfs $tool
		stop nfs && equal attaches-$tool 0 "$STATUS"
	else
		refused no-$tool 'modprobe nfs' $tool
	fi
done
clean left
quiet kernel-log
