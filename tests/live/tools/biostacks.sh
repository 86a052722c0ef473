# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# biostacks: each request of a known workload to a disk of our own is in a histogram of its task and of the stack that made
# it, on every engine; folded stacks with their time; filters, text.
. "${0%/*}/../lib.sh"

disk requests || exit 0
name=${DISK#/dev/}
missed() { reported "$TMP/$1.out" missed | awk '/^[0-9]+$/ { n = $1 } END { print n + 0 }'; }

for b in $ENGINES; do
	load w "$WORK" -c bio-maker block write "$DISK" 60
	start_or_skip rows-$b "$(absences_of_stacks $b)" s biostacks --backend $b --json -d "$name" -p "$(pid w)" || { go w; continue; }
	start f biostacks --backend $b -f -d "$name" -p "$(pid w)"
	start o biostacks --backend $b --json -d "$name" -p 1
	start t biostacks --backend $b -T -m -d "$name" -p "$(pid w)"
	go w
	for id in s f o t; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/s.out" || continue
	got=$(counted "$TMP/s.out")
	bpf_left_out requests-$b $b $((60 - $(missed s))) "$got" || between requests-$b $((60 - $(missed s))) "$got" 60
	fields "$TMP/s.out" histogram stack | awk -F '\t' '$1 == "latency" { print $2 }' >"$TMP/stacks"
	equal tasks-$b 0 "$(grep -cv "^bio-maker;$(pid w);$name;" "$TMP/stacks")"
	# From the system call to the function that hands the I/O over.
	equal stacks-$b 0 "$(grep -cvE ';([a-z_0-9]*sys_|sys_|vfs_)[a-z0-9_]*write[a-z0-9_]*;.*;[a-z0-9_]*submit_bio[a-z0-9_]*(;|$)' "$TMP/stacks")"
	equal others-$b 0 "$(counted "$TMP/o.out")"
	# All of them in one line, with more than no time.
	sed 1d "$TMP/f.out" | grep -c '^bio-maker;.*submit_bio.* [1-9][0-9]*$' >"$TMP/got"
	expect folded-$b [ "$(cat "$TMP/got")" -ge 1 ]
	equal banner-$b "Tracing block I/O with init stacks. Hit Ctrl-C to end." "$(sed -n 1p "$TMP/t.out")"
	contains time-$b "$TMP/t.out" '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'
	contains head-$b "$TMP/t.out" "^bio-maker      $(pid w) +$name *\$"
	contains unit-$b "$TMP/t.out" '^     msecs               : count     distribution$'
	timeout $((20 * SLOW)) "$SONDE" biostacks --backend $b -d "$name" 1 >"$TMP/out" 2>"$TMP/err"
	equal duration-$b 0 $?
done
"$SONDE" biostacks -d "no-such-disk" >"$TMP/out" 2>"$TMP/err"
expect no-disk [ $? != 0 ]
clean left
quiet kernel-log
