# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# The three engines, at the same time on the same workload, show the same rows and the same histograms.
. "${0%/*}/../lib.sh"

# start_all TOOL ARGS...: on all engines, as bpf, perf and ftrace; those that run are in $started. 1: fewer than two.
start_all() {
	started=
	for b in ${on:-$ENGINES}; do
		start_or_skip $1-$b "$(absences $b)" $b "$@" --backend $b --buffer-pages 1024 --json && started="$started $b"
	done
	set -- $started
	[ $# -gt 1 ]
}
# stop_all NAME: ends them; those that lost something can't be compared, and leave $started.
stop_all() {
	rest=
	for b in $started; do
		stop $b
	done
	for b in $started; do
		lossless $1-lost-$b $b "$TMP/$b.out" && rest="$rest $b"
	done
	started=${rest# }
}
# same_rows NAME COLUMNS...: each engine's rows are the first one's, in the same order.
same_rows() {
	of=$1
	shift
	for b in $started; do
		fields "$TMP/$b.out" "$@" >"$TMP/$b.rows"
		if [ $b = "${started%% *}" ]; then
			expect $of-rows-$b [ -s "$TMP/$b.rows" ]
		else
			same $of-$b-as-${started%% *} "$TMP/${started%% *}.rows" "$TMP/$b.rows"
		fi
	done
}
# A histogram in which each value is less than twice as large, or small, as in another one, as far as it is not that
# small that only the clocks differ; and which has as many, up to a few that the one or the other can't place.
near() {
	awk -v low=$((16 * SLOW * SLOW)) '
		NR == FNR { a += $3; for (limit = low; limit <= $1; limit *= 2) over_a[limit] += $3; next }
		{ b += $3; for (limit = low; limit <= $1; limit *= 2) over_b[limit] += $3 }
		END {
			slack = (a + b) / 100 + 3
			if (a - b > slack || b - a > slack)
				print a " values, and " b
			for (limit = low; limit < 1e9; limit *= 2) {
				if (over_a[2 * limit] > over_b[limit] + slack)
					print over_a[2 * limit] " from " 2 * limit " on, but only " over_b[limit] + 0 " from " limit
				if (over_b[2 * limit] > over_a[limit] + slack)
					print over_b[2 * limit] " from " 2 * limit " on, but only " over_a[limit] + 0 " from " limit
			}
		}' "$1" "$2"
}
# same_hists NAME [MEMBER VALUE]
same_hists() {
	of=$1
	shift
	for b in $started; do
		slots "$TMP/$b.out" "$@" >"$TMP/$b.slots"
		near "$TMP/${started%% *}.slots" "$TMP/$b.slots" >"$TMP/wrong"
		if [ $b = "${started%% *}" ]; then
			expect $of-values-$b [ -s "$TMP/$b.slots" ]
		else
			same $of-$b-as-${started%% *} "$TMP/none" "$TMP/wrong"
		fi
	done
}
: >"$TMP/none"

load w "$WORK" connects 150 7020 4
load v "$WORK" -c 'co\x09mm' connects 150 7020 4
if start_all tcpconnect -L -P 7020; then
	go w v
	stop_all tcpconnect
	same_rows tcpconnect pid comm ip saddr daddr lport dport
	[ -z "$started" ] || equal tcpconnect-count 300 "$(wc -l <"$TMP/${started%% *}.rows")"
else
	go w v
fi

on=$(engines_for_strings)
mkdir "$TMP/dir"
load w "$WORK" opens 20 "$TMP/dir"
load v "$WORK" names "$TMP/dir"
if [ "$on" = bpf ]; then
	skip opensnoop "the rings have no strings of user space on this kernel"
	skip execsnoop "the rings have no strings of user space on this kernel"
	go w v
else
	start_all opensnoop -e -p "$(pid w),$(pid v)"
	go w v
	stop_all opensnoop
	same_rows opensnoop pid tid comm fd errno flags mode path path_cut

	load w "$WORK" execs 20
	start_all execsnoop -x -P "$(pid w)"
	go w
	stop_all execsnoop
	same_rows execsnoop pid ppid comm ret args
fi
on=

# Waits of all lengths: turns taken at once, and CPUs that others want. All of both programs' lives is traced.
if find_cpu runqlat; then
	start_all runqlat -P
	"$WORK" spin 3 1500 $CPU >"$TMP/w.said"
	"$WORK" pingpong 1000 $CPU >"$TMP/v.said"
	stop_all runqlat
	same_hists runqlat-spin pid "$(cut -f 2 "$TMP/w.said")"
	same_hists runqlat-pingpong pid "$(cut -f 2 "$TMP/v.said")"
fi

if disk biolatency; then
	load w "$WORK" block write "$DISK" 300
	load v "$WORK" block read "$DISK" 300 65536
	start_all biolatency -D
	go w v
	stop_all biolatency
	same_hists biolatency disk "${DISK#/dev/}"
	[ -z "$started" ] || equal biolatency-count 600 "$(counted "$TMP/${started%% *}.out" disk "${DISK#/dev/}")"
	losetup -d "$DISK"
	DISK=
fi

# What the whole machine does meanwhile is in these: between the first start and the last stop.
if folder cachestat; then
	N=$((12000 / $(page_kb)))
	before=$(dirtied)
	load w "$WORK" dirty "$FOLDER/file" $N
	start_all cachestat 1
	go w
	stop_all cachestat
	noise=$(($(dirtied) - before - N + 200))
	for b in $started; do
		n=$(fields "$TMP/$b.out" dirties cached_mb | awk '{ n += $1 } END { print n }')
		between cachestat-dirties-$b $N "$n" $((N + noise))
	done
fi
clean left
quiet kernel-log
