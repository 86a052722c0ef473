# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# filegone: each name that a known workload removes or changes is one row with its paths, and what fails is none, on
# every engine; filters; text.
. "${0%/*}/../lib.sh"

dir=$TMP/gone
mkdir "$dir"
# changes: relative and absolute paths, files and directories, and calls that fail.
changes() {
	(
		cd "$dir" || exit
		: >one
		mv one two
		mkdir sub
		mv two "$dir/sub/three"
		ln "$dir/sub/three" "$dir/four"
		rm -f "$dir/sub/three" "$dir/nothing"
		rmdir "$dir/sub"
		rmdir "$dir/nothing" 2>/dev/null
		mv "$dir/nothing" "$dir/other" 2>/dev/null
		rm "$dir/four"
	)
}
{
	printf 'RENAME\tone\ttwo\n'
	printf 'RENAME\ttwo\t%s/sub/three\n' "$dir"
	printf 'DELETE\t%s/sub/three\t-\n' "$dir"
	printf 'RMDIR\t%s/sub\t-\n' "$dir"
	printf 'DELETE\t%s/four\t-\n' "$dir"
} >"$TMP/wanted"

engines=$(engines_for_strings)
if [ "$engines" = bpf ]; then
	for b in perf ftrace; do
		refused no-kprobes-$b 'kprobe|string|copy' filegone --backend $b
	done
fi

for b in $engines; do
	start_or_skip changes-$b "$(absences $b)" s filegone --backend $b --json || continue
	start t filegone --backend $b
	changes
	stop s && equal ends-$b 0 "$STATUS"
	stop t
	fields "$TMP/s.out" action file to | awk -F '\t' -v dir="$dir" '
		index($2, dir) == 1 || index($3, dir) == 1 || $2 == "one"' >"$TMP/got"
	same changes-$b "$TMP/wanted" "$TMP/got"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	contains text-head-$b "$TMP/t.out" '^TIME     PID     COMM             ACTION   FILE$'
	contains text-rename-$b "$TMP/t.out" "^[0-9:]{8} [0-9]+ +[^ ]+ +RENAME   two > $dir/sub/three\$"
	contains text-delete-$b "$TMP/t.out" "^[0-9:]{8} [0-9]+ +[^ ]+ +DELETE   $dir/four\$"
	contains text-rmdir-$b "$TMP/t.out" "^[0-9:]{8} [0-9]+ +[^ ]+ +RMDIR    $dir/sub\$"

	# One process, under its name: all that it removes, and nothing of others.
	mkdir "$dir/lives"
	: >"$dir/lives/old"
	: >"$dir/lives/older"
	load w "$WORK" -c 'f\x0a"' lives "$dir/lives"
	start s filegone --backend $b --json -p "$(pid w)"
	go w
	changes
	stop s
	fields "$TMP/s.out" pid comm | sort -u >"$TMP/got"
	awk -F '\t' -v OFS='\t' '$1 == "life" { print $2, $3 }' "$TMP/w.said" | sort -u >"$TMP/who"
	same process-$b "$TMP/who" "$TMP/got"
	expect removals-$b [ "$(fields "$TMP/s.out" action | grep -c DELETE)" -ge "$(grep -c '^life' "$TMP/w.said")" ]
	rm -rf "$dir/lives"
done

clean left
quiet kernel-log
