# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# biosnoop and biotop: each request to a disk of our own has its line, with the task that made it, where it begins on the disk and
# how long it took; the sums are of the same requests. The rows are known beforehand.
. "${0%/*}/../lib.sh"

disk requests || exit 0
name=${DISK#/dev/}

# said_rows FILE COMM FIRST: what the workload did, as rows; FIRST: where on the disk its sector 0 is.
said_rows() {
	comm=$2 awk -F '\t' -v disk="$name" -v first="$3" '
		{ printf "%s\t%s\t%s\t%s\t%d\t%s\n", $2, ENVIRON["comm"], disk, $3 == "read" ? "R" : "W", $4 + first, $5 }' "$1"
}
rows() { fields "$1" pid comm disk type sector bytes | grep -v "	F	"; }

for b in $ENGINES; do
	load w "$WORK" -c 'bio\x09w' block write "$DISK" 60
	load r "$WORK" -c bior block read "$DISK" 40 65536
	load f "$WORK" -c biof block flush "$DISK" 5
	start_or_skip rows-$b "$(absences $b)" s biosnoop --backend $b --json -d "$name" -Q || { go w r f; continue; }
	start p biosnoop --backend $b --json -d "$name" --pid "$(pid r)"
	start n biosnoop --backend $b --json -d "$name" --name bior -m 0
	start m biosnoop --backend $b --json -d "$name" -m 60000
	start c biosnoop --backend $b --csv -d "$name" -P
	start t biosnoop --backend $b -d "$name" -Q -t
	start i biosnoop --backend $b --json -d "$name" -s -i '*R*'
	start top biotop --backend $b --json -d "$name" 100
	start one biotop --backend $b --json -d "$name" -p "$(pid w)" 100
	go w r f
	for id in s p n m c t i top one; do
		stop $id && [ "$STATUS" = 0 ] || fail "ends-$id-$b" "status $STATUS"
	done
	for id in s p n m i top one; do
		lossless lost-$id-$b $b "$TMP/$id.out" || continue 2
	done
	{ said_rows "$TMP/w.said" 'bio\x09w' 0; said_rows "$TMP/r.said" bior 0; } >"$TMP/wanted"
	rows "$TMP/s.out" >"$TMP/rows"
	same rows-$b "$TMP/wanted" "$TMP/rows"
	said_rows "$TMP/r.said" bior 0 >"$TMP/wanted"
	rows "$TMP/p.out" >"$TMP/rows"
	same pid-$b "$TMP/wanted" "$TMP/rows"
	rows "$TMP/i.out" >"$TMP/rows"
	same reads-$b "$TMP/wanted" "$TMP/rows"
	# Each was issued as long before its end as it took; a microsecond is lost by rounding.
	fields "$TMP/i.out" time_s start_s lat_ms |
		awk -F '\t' '{ off = ($1 - $2) * 1000 - $3 } off > 0.002 || off < -0.002' >"$TMP/wrong"
	same starts-$b /dev/null "$TMP/wrong"
	rows "$TMP/n.out" >"$TMP/rows"
	same name-$b "$TMP/wanted" "$TMP/rows"
	equal none-as-long-$b 0 "$(rows "$TMP/m.out" | wc -l)"

	# From the request to its end is no longer than the call that waited for it; 1 us is lost by rounding.
	fields "$TMP/s.out" type que_ms lat_ms | grep -v "^F" | paste "$TMP/w.said" - 2>/dev/null | head -n 60 >"$TMP/both" ||
		: >"$TMP/both"
	awk -F '\t' '$8 < 0 || $9 <= 0 || 1000 * ($8 + $9) > $6 + 1 { print "que " $8 " ms, lat " $9 " ms, in " $6 " us" }' \
		"$TMP/both" >"$TMP/wrong"
	: >"$TMP/none"
	same times-$b "$TMP/none" "$TMP/wrong"
	# A flush has no place and no task; how many of them a kernel makes of five is its affair.
	fields "$TMP/s.out" type sector bytes pid comm que_ms | grep "^F" | sort -u >"$TMP/flushes"
	echo "F	-	0	-	-	-" >"$TMP/flush"
	[ ! -s "$TMP/flushes" ] || same flush-$b "$TMP/flush" "$TMP/flushes"

	# As text, and as CSV.
	sed -n 1p "$TMP/t.out" >"$TMP/head"
	contains text-head-$b "$TMP/head" '^TIMESTAMP    COMM           PID     DISK      T SECTOR     BYTES   QUE\(ms\) LAT\(ms\)$'
	contains text-row-$b "$TMP/t.out" \
		'^[0-9:]{8}\.[0-9]{3} bio\\tw +[0-9]+ +'"$name"' +W 8          4096    +[0-9]+\.[0-9]{2} +[0-9]+\.[0-9]{2}$'
	sed -n 1p "$TMP/c.out" >"$TMP/head"
	contains csv-head-$b "$TMP/head" '^TIME\(s\),COMM,PID,DISK,T,FLAGS,SECTOR,BYTES,P,LAT\(ms\)$'
	contains csv-sequential-$b "$TMP/c.out" ",bior,[0-9]+,$name,R,R[A-Z]*,128,65536,S,[0-9.]+"

	# The sums: most bytes first.
	printf '%s\tbior\tR\t40\t2560\n%s\tbio\\x09w\tW\t60\t240\n' "$(pid r)" "$(pid w)" >"$TMP/wanted"
	fields "$TMP/top.out" pid comm type io kbytes | grep -v "	F	" >"$TMP/rows"
	same sums-$b "$TMP/wanted" "$TMP/rows"
	sed -n 2p "$TMP/wanted" >"$TMP/second"
	fields "$TMP/one.out" pid comm type io kbytes >"$TMP/rows"
	same sums-pid-$b "$TMP/second" "$TMP/rows"
	tr : ' ' <"/sys/class/block/$name/dev" | while read -r major minor; do
		contains sums-disk-$b "$TMP/top.out" "\"major\":$major,\"minor\":$minor,\"disk\":\"$name\""
	done
	fields "$TMP/s.out" type lat_ms | awk -F '\t' '$1 == "R" { n += $2 } END { printf "%d\n", n / 40 * 1000 }' >"$TMP/mean"
	mean=$(fields "$TMP/top.out" type avg_ms | awk -F '\t' '$1 == "R" { printf "%d\n", $2 * 1000 }')
	# Two sondes tell the time of one event one after the other.
	between sums-mean-$b $(($(cat "$TMP/mean") / 2 - 10)) "$mean" $(($(cat "$TMP/mean") * 2 + 20))

	# Intervals add up, whatever happens while one is printed.
	load w "$WORK" -c biow block write "$DISK" 2000
	start s biotop --backend $b --json -d "$name" 1
	go w
	stop s
	lossless intervals-lost-$b $b "$TMP/s.out" && equal intervals-$b 2000 \
		"$(fields "$TMP/s.out" type io | awk -F '\t' '$1 == "W" { n += $2 } END { print n }')"
	load w "$WORK" -c biow block write "$DISK" 10
	start s biotop --backend $b -d "$name" -r 1 -C
	go w
	stop s
	contains top-head-$b "$TMP/s.out" '^PID     COMM             D MAJ MIN DISK       I/O  Kbytes  AVGms$'
	unrecorded top-load-$b || contains top-load-$b "$TMP/s.out" '^[0-9:]{8} loadavg: [0-9]'
	contains top-row-$b "$TMP/s.out" '^[0-9]+ +biow +W [0-9]+ +[0-9]+ +'"$name"' +10      40 +[0-9]+\.[0-9]{2}$'

	# Requests the kernel cuts, or is done with in parts: all of their bytes, once.
	load w "$WORK" -c biow block write "$DISK" 8 4194304
	start s biosnoop --backend $b --buffer-pages 1024 --json -d "$name"
	go w
	stop s
	lossless large-lost-$b $b "$TMP/s.out" && equal large-$b $((8 * 4194304)) \
		"$(fields "$TMP/s.out" type bytes | awk -F '\t' '$1 == "W" { n += $2 } END { print n }')"
	fields "$TMP/s.out" type sector bytes | awk -F '\t' '
		$1 == "W" { begins[$2]++; ends[$2 + $3 / 512]++ }
		END { delete begins[0]; delete ends[8 * 8192]; for (s in begins) if (!(s in ends)) print s }' >"$TMP/wrong"
	same large-places-$b "$TMP/none" "$TMP/wrong"
done

# Two processes want the same few sectors at the same time: each request has its line, with one of both or nobody; what
# is with the device together has no latency.
instance=$TRACEFS/instances/biosnoop-test-$$
cleanup_hook() { [ ! -d "$instance" ] || rmdir "$instance"; }
mkdir "$instance"
echo 8000 >"$instance/buffer_size_kb"
number=$(tr : ' ' <"/sys/class/block/$name/dev" | awk '{ print $1 * 1048576 + $2 }')
echo "dev == $number && nr_sector > 0" >"$instance/events/block/block_rq_complete/filter"
for b in $ENGINES; do
	load w "$WORK" -c biow ioflood "$DISK" 0 8 500 2
	load v "$WORK" -c biov ioflood "$DISK" 0 8 500 2
	echo 1 >"$instance/events/block/block_rq_complete/enable"
	start_or_skip same-$b "$(absences $b)" s biosnoop --backend $b --json -d "$name" --buffer-pages 256 || { go w v; continue; }
	: >"$TMP/v.go"
	go w v
	stop s
	echo 0 >"$instance/events/block/block_rq_complete/enable"
	done=$(grep -c block_rq_complete: "$instance/trace")
	echo >"$instance/trace"
	fields "$TMP/s.out" pid comm type sector bytes lat_ms >"$TMP/rows"
	awk -F '\t' -v w="$(pid w)" -v v="$(pid v)" '
		$1 == w && $2 == "biow" || $1 == v && $2 == "biov" || $1 == "-" && $2 == "-" { known++ }
		$3 !~ /^[RW]$/ || $4 % 8 || $4 > 56 || $5 % 4096 || $6 != "-" && $6 <= 0 { print "wrong: " $0 }
		END { if (known != NR) print "of others: " NR - known }' "$TMP/rows" >"$TMP/wrong"
	same same-rows-$b "$TMP/none" "$TMP/wrong"
	# Before 6.7 nobody counts the programs that are skipped because a request's end interrupts another one.
	lost=$(fields "$TMP/s.out" end.lost end.late end.unpaired end.full end.missed |
		awk -F '\t' -v n="$done" '{ print $1 + $2 + $3 + $4 + ($5 == "-" ? int(n / 100) : $5) }')
	echo "# same-$b: $done requests, $(wc -l <"$TMP/rows") rows, $lost lost, $(grep -c '^-' "$TMP/rows") of nobody"
	# What is lost may be another event than the one a row is made of.
	between same-$b $((done - lost)) "$(wc -l <"$TMP/rows")" "$done"
done

# A terminal: each table clears the screen, as many rows as fit, and nothing has to be put back.
if start_or_skip screen '' s biotop -d "$name"; then
	stop s
	env TERM=xterm "$WORK" signals "$WORK" terminal 90 10 "$SONDE" biotop 1 2 >"$TMP/t.out" 2>"$TMP/t.err" </dev/null
	equal screen-tables 2 "$(tr '\033' '~' <"$TMP/t.out" | grep -c '~\[H~\[2J')"
	env TERM=xterm "$WORK" signals "$WORK" terminal 90 10 "$SONDE" biotop -C 1 2 >"$TMP/t.out" 2>"$TMP/t.err" </dev/null
	equal screen-not-cleared 0 "$(tr '\033' '~' <"$TMP/t.out" | grep -c '~')"
	env TERM=dumb "$WORK" signals "$WORK" terminal 90 10 "$SONDE" biotop 1 2 >"$TMP/t.out" 2>"$TMP/t.err" </dev/null
	equal screen-dumb 0 "$(tr '\033' '~' <"$TMP/t.out" | grep -c '~')"
fi

# I/O to a partition is told as the disk's, with the sectors of the disk.
if "$WORK" partition "$DISK" 8192 40960 2>"$TMP/why"; then
	mknod "$TMP/part" b $(tr : ' ' <"/sys/class/block/${name}p1/dev")
	for b in $ENGINES; do
		load w "$WORK" -c biow block write "$TMP/part" 20
		start_or_skip partition-$b "$(absences $b)" s biosnoop --backend $b --json -d "$name" || { go w; continue; }
		go w
		stop s
		lossless partition-lost-$b $b "$TMP/s.out" || continue
		said_rows "$TMP/w.said" biow 8192 >"$TMP/wanted"
		rows "$TMP/s.out" | grep '	W	' >"$TMP/rows"
		same partition-$b "$TMP/wanted" "$TMP/rows"
	done
	"$SONDE" biosnoop -d "${name}p1" >"$TMP/out" 2>"$TMP/err"
	equal partition-name-status 2 $?
	contains partition-name "$TMP/err" 'is a partition, and requests go to whole disks'
else
	skip partition "no partition can be made here: $(cat "$TMP/why")"
fi
clean left
quiet kernel-log
