# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# cachestat: a known number of pages dirtied, missed and hit, against the kernel's own counts; what can't be counted
# here is not 0.
. "${0%/*}/../lib.sh"

folder pages || exit 0
# 16 MB.
N=$((16000 / $(page_kb)))

# sum FILE MEMBER: over all intervals; `-` if it is not there.
sum() { fields "$1" "$2" cached_mb | awk '$1 == "-" { none = 1 } { n += $1 } END { print none ? "-" : n + 0 }'; }

# untold FILE COLUMN NAME: the column is `-`, as it must be where the kernel does not tell what pages are added for and
# others dirty pages meanwhile ($noise).
untold() {
	missing add.gfp "$1" && [ "$(sum "$1" "$2")" = - ] || return 1
	expect "$3" [ "$noise" -gt 0 ]
}

# missing HOOK FILE: sonde says that it can't count this one here.
missing() { grep -q "\"missing\":\[[^]]*\"cache\\.$1\"" "$2"; }

for b in $ENGINES; do
	"$WORK" dirty "$FOLDER/file" $N >/dev/null
	"$WORK" drop "$FOLDER/file"

	# Each page is read in once.
	load w "$WORK" readback "$FOLDER/file"
	before=$(dirtied)
	start_or_skip misses-$b "$(absences $b)" s cachestat --backend $b --buffer-pages 1024 --json 1 || { go w; continue; }
	go w
	stop s && equal ends-$b 0 "$STATUS"
	noise=$(($(dirtied) - before))
	lossless lost-$b $b "$TMP/s.out" || continue
	equal pages-$b $N "$(sed -n 's/^cache.*read	//p' "$TMP/w.said")"
	if missing dirty "$TMP/s.out"; then
		has bpf-tracepoint && fail dirty-$b "not counted, although there is a tracepoint"
		for column in hits misses dirties hit_percent; do
			equal unknown-$column-$b - "$(sum "$TMP/s.out" $column)"
		done
		continue
	fi
	untold "$TMP/s.out" misses misses-untold-$b ||
		between misses-$b $((N - N / 100)) "$(sum "$TMP/s.out" misses)" $((N + noise + N))

	# Read again: nothing is missed, and where accesses can be counted, each is a hit.
	load w "$WORK" readback "$FOLDER/file"
	before=$(dirtied)
	start s cachestat --backend $b --buffer-pages 1024 --json
	go w
	stop s
	noise=$(($(dirtied) - before))
	hits=$(sum "$TMP/s.out" hits)
	if untold "$TMP/s.out" misses hits-untold-$b; then
		equal unknown-hits-$b - "$hits"
	elif missing access "$TMP/s.out"; then
		has_kprobes && fail hits-$b "not counted, although there are kprobes"
		equal unknown-hits-$b - "$hits"
		equal unknown-ratio-$b - "$(sum "$TMP/s.out" hit_percent)"
		expect no-misses-$b [ "$(sum "$TMP/s.out" misses)" -lt $((N / 4 + noise)) ]
	else
		expect hits-$b [ "$hits" -ge $((N - noise - N / 100)) ]
		expect no-misses-$b [ "$(sum "$TMP/s.out" misses)" -lt $((N / 4 + noise)) ]
	fi

	# Dirtied.
	load w "$WORK" dirty "$FOLDER/file" $N
	before=$(dirtied)
	start s cachestat --backend $b --buffer-pages 1024 --json -T 1
	go w
	stop s
	noise=$(($(dirtied) - before - N))
	lossless dirties-lost-$b $b "$TMP/s.out" || continue
	between dirties-$b $N "$(sum "$TMP/s.out" dirties)" $((N + noise + 200))
	contains time-$b "$TMP/s.out" '"time":"20[0-9-]*T[0-9:.]*Z"'

	# One process misses pages, hits as many, and dirties twice as many, of files of its own.
	if missing add.gfp "$TMP/s.out"; then
		skip three-$b "this kernel does not tell what pages are added for"
	else
		# The file that is written has its blocks: to find free ones is an access each, many times.
		"$WORK" dirty "$FOLDER/more" $((2 * N)) >/dev/null
		"$WORK" drop "$FOLDER/more"
		"$WORK" drop "$FOLDER/file"
		load w "$WORK" -c three threefold "$FOLDER/file" "$FOLDER/more" $((2 * N))
		start s cachestat --backend $b --buffer-pages 1024 --json -p "$(pid w)" 3600
		go w
		stop s
		if lossless three-lost-$b $b "$TMP/s.out"; then
			between three-misses-$b $((N - N / 100)) "$(sum "$TMP/s.out" misses)" $((N + N / 20))
			# And the blocks that say where the file's blocks are.
			between three-hits-$b $((N - N / 50)) "$(sum "$TMP/s.out" hits)" $((5 * N))
			between three-dirties-$b $((2 * N)) "$(sum "$TMP/s.out" dirties)" $((2 * N + N / 20))
		fi
		rm -f "$FOLDER/more"
	fi

	# The same by process: nobody else's pages are in a row, or are counted with a filter.
	"$WORK" drop "$FOLDER/file"
	load w "$WORK" -c reads readback "$FOLDER/file"
	start s cachestat --backend $b --buffer-pages 1024 --json --by-process
	start f cachestat --backend $b --buffer-pages 1024 --json -p "$(pid w)" 3600
	go w
	stop s
	stop f
	lossless process-lost-$b $b "$TMP/s.out" && lossless process-filter-lost-$b $b "$TMP/f.out" || continue
	row() { fields "$1" pid comm "$2" | awk -v pid="$3" '$1 == pid { n += $3; comm = $2 } END { print comm, n + 0 }'; }
	pages=$(row "$TMP/s.out" misses "$(pid w)")
	equal process-name-$b reads "${pages% *}"
	# A process that dirties a page, if only one of a log, has unknown misses where nobody tells them.
	if ! missing add.gfp "$TMP/s.out"; then
		between process-misses-$b $((N - N / 100)) "${pages#* }" $((N + N / 4))
		between filter-misses-$b $((N - N / 100)) "$(sum "$TMP/f.out" misses)" $((N + N / 4))
	fi
	load w "$WORK" -c writes dirty "$FOLDER/file" $N
	start s cachestat --backend $b --buffer-pages 1024 --json --by-process -s dirties -r 3 -C
	go w
	stop s
	lossless process-dirties-lost-$b $b "$TMP/s.out" || continue
	pages=$(row "$TMP/s.out" dirties "$(pid w)")
	between process-dirties-$b $N "${pages#* }" $((N + N / 50))
	load w "$WORK" -c reads readback "$FOLDER/file"
	start s cachestat --backend $b --buffer-pages 1024 --json --by-process
	go w
	stop s
	lossless process-hits-lost-$b $b "$TMP/s.out" || continue
	if ! missing access "$TMP/s.out"; then
		pages=$(row "$TMP/s.out" hits "$(pid w)")
		between process-hits-$b $((N - N / 100)) "${pages#* }" $((3 * N))
	fi

	# As text; the second number of intervals ends it.
	timeout $((20 * SLOW)) "$SONDE" cachestat --backend $b 1 2 >"$TMP/text" 2>"$TMP/err"
	equal count-ends-$b 0 $?
	equal text-head-$b "    HITS   MISSES  DIRTIES HITRATIO   BUFFERS_MB  CACHED_MB" "$(sed -n 1p "$TMP/text")"
	equal text-rows-$b 2 "$(sed 1d "$TMP/text" | grep -cE '^ +([0-9]+|-) +([0-9]+|-) +[0-9]+ +([0-9.]+%|-) +[0-9]+ +[0-9]+$')"
done
clean left
quiet kernel-log
