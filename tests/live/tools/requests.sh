# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# biolatency, biosnoop and biotop by the request itself: many requests at one sector at a time all have their own times and
# tasks. Where that is given up (--without raw-tracepoints), the rows of a plain workload are the same.
. "${0%/*}/../lib.sh"

disk requests || exit 0
name=${DISK#/dev/}

load w "$WORK" block write "$DISK" 1
start_or_skip exact "$(absences bpf)" s biolatency --backend bpf --json -d "$name" || { go w; exit 0; }
go w
stop s
if ! grep -q 'block.done: raw tracepoint' "$TMP/s.err"; then
	skip exact "no raw tracepoint tells BPF programs the request here"
	clean left
	exit 0
fi

# Eight threads write and read one block at the same time. A direct write may become a write of the page cache, if
# somebody has the page: the kernel's own count is of requests.
done_so_far() { awk '{ print $1 + $5 }' "/sys/block/$name/stat"; }
load w "$WORK" -c flood ioflood "$DISK" 0 1 500 8
start s biolatency --backend bpf --json -d "$name"
start q biolatency --backend bpf --json -d "$name" -Q
start b biosnoop --backend bpf --buffer-pages 1024 --json -d "$name" -Q
start t biotop --backend bpf --json -d "$name" 100
start k biolatency --backend bpf --without raw-tracepoints --json -d "$name"
before=$(done_so_far)
go w
N=$(($(done_so_far) - before))
between requests 3000 $N 4000
for id in s q b t k; do
	stop $id
done
for id in s q; do
	# Where an interrupt comes while the program runs, the kernel may skip it there.
	missed=$(reported "$TMP/$id.out" missed)
	case $missed in [1-9]*) ;; *) missed=0 ;; esac
	between counted-$id $((N - missed)) "$(counted "$TMP/$id.out")" $N
	untimed=$(reported "$TMP/$id.out" untimed)
	equal untimed-$id 0 "${untimed:-0}"
done
missed=$(reported "$TMP/b.out" missed)
case $missed in [1-9]*) ;; *) missed=0 ;; esac
fields "$TMP/b.out" pid comm type bytes que_ms lat_ms >"$TMP/rows"
between rows $((N - missed)) "$(wc -l <"$TMP/rows")" $N
awk -F '\t' -v pid="$(pid w)" '$1 != pid || $2 != "flood" || $3 !~ /^[RW]$/ || $4 != 4096 || $5 == "-" || $6 == "-"' \
	"$TMP/rows" >"$TMP/wrong"
between all-known 0 "$(wc -l <"$TMP/wrong")" "$missed"
equal sums $N "$(fields "$TMP/t.out" pid io | awk -F '\t' -v pid="$(pid w)" -v n=$N -v missed="$missed" '
	$1 == pid { sum += $2 } END { print (sum <= n && sum >= n - missed) ? n : sum + 0 }')"
echo "# made keys: $(counted "$TMP/k.out") of $N have a time, $(reported "$TMP/k.out" untimed) have none"

# Of each kind some, one after the other: both ways show the same.
"$WORK" block discard "$DISK" 1 >/dev/null 2>&1 && discards=6 || discards=0
"$WORK" block zero "$DISK" 1 >/dev/null 2>&1 && zeroes=7 || zeroes=0
load w "$WORK" -c wr block write "$DISK" 60
load r "$WORK" -c rd block read "$DISK" 40 65536
load f "$WORK" -c fl block flush "$DISK" 5
load d "$WORK" -c di block discard "$DISK" $discards
load z "$WORK" -c ze block zero "$DISK" $zeroes
for way in exact keys; do
	without=
	[ $way = exact ] || without='--without raw-tracepoints'
	start s$way biosnoop --backend bpf $without --json -d "$name" -Q
	start f$way biolatency --backend bpf $without --json -d "$name" -F
	start q$way biolatency --backend bpf $without --json -d "$name" -DQ
	start t$way biotop --backend bpf $without --json -d "$name" 100
done
go w r f d z
for way in exact keys; do
	for id in s f q t; do
		stop $id$way
		lossless lost-$id-$way bpf "$TMP/$id$way.out" || exit 0
	done
	fields "$TMP/s$way.out" pid comm disk type flags sector bytes >"$TMP/rows.$way"
	for flags in $(fields "$TMP/f$way.out" flags | sort -u); do
		echo "$flags $(counted "$TMP/f$way.out" flags "$flags")"
	done >"$TMP/flags.$way"
	counted "$TMP/q$way.out" disk "$name" >"$TMP/queued.$way"
	fields "$TMP/t$way.out" pid comm type disk io kbytes >"$TMP/sums.$way"
	case $way in
	exact) contains way-$way "$TMP/s$way.err" 'block.done: raw tracepoint' ;;
	keys) contains way-$way "$TMP/s$way.err" 'block.done: tracepoint' ;;
	esac
done
for what in rows flags queued sums; do
	same $what-of-both "$TMP/$what.keys" "$TMP/$what.exact"
done
# A kernel may make several requests of one that writes zeroes (5.10).
equal rows-of-all $((100 + discards)) "$(grep -vc '	F	\|^[0-9]*	ze	' "$TMP/rows.exact")"
equal times-of-all 0 "$(fields "$TMP/sexact.out" lat_ms | grep -c '^-')"
awk '{ print "#   " $0 }' "$TMP/flags.exact"
clean left
quiet kernel-log
