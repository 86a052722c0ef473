# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# memleak: what a known workload has not freed is shown to the byte, by the functions that took it, on every engine: of
# static programs and of the machine's C libraries, across forks and execs, after the process has ended; of the kernel.
. "${0%/*}/../lib.sh"

# held FILE: of its stacks the newest function that is the workload's, what it holds, and in how many pieces.
held() {
	fields "$1" user_stack bytes allocations | sed 's/[^\t]*"name":"\(heap_[a-z]*\)[^\t]*/\1/' |
		awk -F '\t' -v OFS='\t' '/^heap_/ { b[$1] += $2; n[$1] += $3 } END { for (f in b) print f, b[f], n[f] }' | sort
}
# wanted ID ENGINE: the same, of what the workload said; rings can't tell what posix_memalign() got.
wanted() {
	awk -F '\t' -v OFS='\t' -v rings="$([ "$2" = bpf ] || echo 1)" '
		$1 == "held" && !(rings && $3 == "heap_posix") { print $3, $4, $5 }' "$TMP/$1.said" | sort
}

case $(uname -m) in
arm*)
	skip rows "returns of functions can't be probed on 32-bit ARM"
	exit 0
	;;
esac

# One report, at the end: the interval is longer than any of these takes.
for b in $ENGINES; do
	load w "$WORK" heap
	load x "$WORK" heap-exec
	start_or_skip rows-$b "$(absences_of_stacks $b)" s memleak --backend $b --json -o 0 -T 1000 -p "$(pid w),$(pid x)" 1000 || { go w x; continue; }
	go w
	go x
	stop s && equal ends-$b 0 "$STATUS"
	nothing_lost lost-$b $b "$(reported "$TMP/s.out" lost)" || continue
	grep "\"pid\":$(said w 2)," "$TMP/s.out" >"$TMP/of"
	held "$TMP/of" >"$TMP/got"
	wanted w $b >"$TMP/wanted"
	same rows-$b "$TMP/wanted" "$TMP/got"
	grep "\"pid\":$(said x 2)," "$TMP/s.out" >"$TMP/of"
	held "$TMP/of" >"$TMP/got"
	wanted x $b >"$TMP/wanted"
	same exec-$b "$TMP/wanted" "$TMP/got"
	[ $b = bpf ] || contains said-$b "$TMP/s.out" '"missing":\[[^]]*"aligned'

	# Each of them; sizes; a table that is full; text.
	load w "$WORK" heap
	start a memleak --backend $b --json -a -t -o 0 -z 100 -Z 5000 -p "$(pid w)" 1000
	start f memleak --backend $b --json -o 0 -z 100 -Z 100 --allocations 4 -p "$(pid w)" 1000
	start t memleak --backend $b -o 0 --top=1 -z 1000000 -Z 1000000 -p "$(pid w)" 1000
	start y memleak --backend $b -f -o 3600000 -p "$(pid w)" 1000
	go w
	stop a
	stop f
	stop t
	stop y
	fields "$TMP/a.out" pid event bytes | sort | uniq -c | sed 's/^ *//; s/ /	/' >"$TMP/got"
	contains each-held-$b "$TMP/got" "^10	$(said w 2)	held	100\$"
	contains each-alloc-$b "$TMP/got" "^1	$(said w 2)	alloc	5000\$"
	contains each-free-$b "$TMP/got" "^1	$(said w 2)	free	5000\$"
	equal few-$b '400	4' "$(held "$TMP/f.out" | cut -f 2,3)"
	equal full-$b 14 "$(reported "$TMP/f.out" full)"
	contains text-head-$b "$TMP/t.out" '^\[..:..:..\] Top 1 stacks with outstanding allocations:$'
	contains text-frame-$b "$TMP/t.out" '^    heap_realloc[.a-z0-9]* \[work\]$'
	contains text-sum-$b "$TMP/t.out" '^        1000000 bytes, 1 allocations$'
	equal young-$b 0 "$(grep -c ';' "$TMP/y.out")"
done

# A command, which has the allocator itself; what it leaves when it ends is young.
for b in $ENGINES; do
	timeout $((60 * SLOW)) "$SONDE" memleak --backend $b --json -T 1000 -c "$WORK" heap >"$TMP/c.out" 2>"$TMP/c.err"
	[ $? = 0 ] || { skip command-$b "$(head -n 1 "$TMP/c.err")"; continue; }
	[ $b = bpf ] || contains aligned-said-$b "$TMP/c.err" 'allocations of posix_memalign\(\) are missing'
	grep '^held' "$TMP/c.out" >"$TMP/c.said"
	grep '^{' "$TMP/c.out" >"$TMP/c.rows"
	nothing_lost command-lost-$b $b "$(reported "$TMP/c.rows" lost)" || continue
	grep "\"pid\":$(said c 2)," "$TMP/c.rows" >"$TMP/of"
	held "$TMP/of" >"$TMP/got"
	wanted c $b >"$TMP/wanted"
	same command-$b "$TMP/wanted" "$TMP/got"
done

# What others allocate is not in the rings, so that it is known what was asked for. Beginnings and ends of all processes are
# there: a machine that builds something has a few thousand.
"$WORK" heap-flood >/dev/null &
flood=$!
running="$running $flood"
for b in $ENGINES; do
	[ $b != ftrace ] || { skip others-$b "the function's hits of all processes are in its rings"; continue; }
	load w "$WORK" heap
	start_or_skip others-$b "$(absences_of_stacks $b)" s memleak --backend $b --json -o 0 -T 1000 -p "$(pid w)" 1000 || { go w; continue; }
	go w
	stop s
	held "$TMP/s.out" >"$TMP/got"
	wanted w $b >"$TMP/wanted"
	same others-$b "$TMP/wanted" "$TMP/got"
	equal others-lost-$b 0 "$(reported "$TMP/s.out" lost)"
	[ $b != perf ] || between others-seen-$b 100 "$(reported "$TMP/s.out" seen)" 20000
	timeout $((60 * SLOW)) "$SONDE" memleak --backend $b --json -T 1000 -c "$WORK" heap >"$TMP/c.out" 2>"$TMP/c.err"
	[ $? = 0 ] || { skip others-command-$b "$(head -n 1 "$TMP/c.err")"; continue; }
	grep '^held' "$TMP/c.out" >"$TMP/c.said"
	grep '^{' "$TMP/c.out" >"$TMP/c.rows"
	grep "\"pid\":$(said c 2)," "$TMP/c.rows" >"$TMP/of"
	held "$TMP/of" >"$TMP/got"
	wanted c $b >"$TMP/wanted"
	same others-command-$b "$TMP/wanted" "$TMP/got"
	equal others-command-lost-$b 0 "$(reported "$TMP/c.rows" lost)"
	[ $b != perf ] || between others-command-seen-$b 100 "$(reported "$TMP/c.rows" seen)" 20000
done
kill $flood

# The machine's own C libraries.
for c in gcc musl-gcc; do
	if ! $c -DALONE -D_GNU_SOURCE -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$TMP/heap-$c" "$LIVE/work/heap.c" -pthread 2>/dev/null; then
		skip real-$c "no program of this C library can be built here"
		continue
	fi
	for b in $ENGINES; do
		rm -rf "$TMP/alone.go" "$TMP/alone.go.ready"
		"$TMP/heap-$c" "$TMP/alone.go" >"$TMP/alone.said" &
		pid_alone=$!
		running="$running $!"
		wait_for 10 [ -d "$TMP/alone.go.ready" ]
		start_or_skip real-$c-$b "$(absences_of_stacks $b)" s memleak --backend $b --json -o 0 -T 1000 -p "$pid_alone" --buffer-pages 2048 1000 || { go alone; continue; }
		go alone
		stop s
		if [ $b != bpf ] && [ "$(reported "$TMP/s.out" lost)" != 0 ]; then
			skip real-$c-$b "other programs of this machine allocate more than rings hold"
			continue
		fi
		held "$TMP/s.out" >"$TMP/got"
		wanted alone $b >"$TMP/wanted"
		same real-$c-$b "$TMP/wanted" "$TMP/got"
	done
done

# The kernel: objects that outlive their process, and others that do not.
cleanup_hook() { [ ! -s "$TMP/q.said" ] || for id in $(cut -f 3 "$TMP/q.said"); do ipcrm -q "$id" 2>/dev/null; done; }
"$WORK" queues 1 1 >"$TMP/q.said" 2>/dev/null || { skip kernel "no queues of messages on this kernel"; exit 0; }
cleanup_hook
for b in $ENGINES; do
	load q "$WORK" queues 30 20
	start_or_skip kernel-$b "$(absences_of_stacks $b)" s memleak --backend $b --json -o 0 -T 100000 --tid "$(pid q)" --buffer-pages 2048 1000 || { go q; continue; }
	go q
	# What is removed is freed a moment later.
	sleep $((2 * SLOW))
	stop s
	cleanup_hook
	[ "$(reported "$TMP/s.out" lost)" = 0 ] || { skip kernel-$b "this machine allocates more than rings hold"; continue; }
	fields "$TMP/s.out" kernel_stack allocations |
		awk -F '\t' '/"newque"/ && !/ipc_addid|alloc_slab|allocate_slab|new_slab|security_|lsm_/ { n += $2 } END { print n + 0 }' >"$TMP/got"
	# A free may have been skipped, because the probe of another was under way; that is counted.
	missed=$(reported "$TMP/s.out" missed)
	between kernel-$b $((30 - ${missed:-0})) "$(cat "$TMP/got")" $((30 + ${missed:-0}))
done

expect no-function sh -c '! "$0" memleak -O "$0" 2>"$1" && grep -q "has no function malloc" "$1"' "$SONDE" "$TMP/misuse"
expect threads sh -c '! "$0" memleak -p 1 --tid 1 2>"$1" && grep -q "any thread may free" "$1"' "$SONDE" "$TMP/misuse"
expect sizes sh -c '! "$0" memleak -z 2 -Z 1 2>"$1" && grep -q "less than" "$1"' "$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
