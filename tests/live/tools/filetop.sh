# SPDX-License-Identifier: GPL-2.0
#
# filetop: what a known workload moves, call by call and byte by byte, on every engine; paths, filters, directories.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"
# Sums over all tables: file reads writes read_bytes written_bytes; ends of paths where only these are shown.
sums() {
	fields "$1" pid file reads writes read_bytes written_bytes | awk -F '\t' -v OFS='\t' -v pid="$2" -v names="$3" '
		$1 != pid { next }
		names { sub(/.*\//, "", $2) }
		{ r[$2] += $3; w[$2] += $4; in_[$2] += $5; out[$2] += $6 }
		END { for (f in r) print f, r[f], w[f], in_[f], out[f] }' | sort
}
wanted_sums() {
	awk -F '\t' -v OFS='\t' -v names="$2" '
		$1 == "moved" {
			if (names) sub(/.*\//, "", $7)
			r[$7] += $3; w[$7] += $4; in_[$7] += $5; out[$7] += $6
		}
		END { for (f in r) print f, r[f], w[f], in_[f], out[f] }' "$1" | sort
}

for b in $ENGINES; do
	rm -rf "$TMP/dir"/*
	load w "$WORK" moves 10 "$TMP/dir"
	start_or_skip rows-$b "$(absences $b)" s filetop --backend $b --json -p "$(pid w)" 1000 || { go w; continue; }
	start i filetop --backend $b --json -p "$(pid w)" 1
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop i
	names=
	# Without type information the place where a file system is mounted is unknown.
	[ $b = bpf ] && ! grep -q 'moved.enter.dev' "$TMP/s.out" || names=1
	for without in vector splice; do
		case $without in
		vector) said='readv(2), writev(2)' files='vector' ;;
		splice) said='sendfile(2), splice(2)' files='from|to|spliced|joined' ;;
		esac
		if grep -qF "$said" "$TMP/s.err"; then
			skip "$without-$b" "$(grep -F "$said" "$TMP/s.err")"
			grep -vE "/($files)\$" "$TMP/w.said" >"$TMP/rest" && mv "$TMP/rest" "$TMP/w.said"
		fi
	done
	# Old kernels keep few returns of a function, and busy ones use them up.
	for run in s i; do
		missed=$(without_return "$TMP/$run.out")
		[ "$missed" = 0 ] || break
	done
	[ "$missed" = 0 ] || { skip rows-$b "the kernel missed $missed returns, which sonde says"; continue; }
	wanted_sums "$TMP/w.said" $names >"$TMP/wanted"
	sums "$TMP/s.out" "$(pid w)" $names | grep -E "$(cut -f 1 "$TMP/wanted" | sed 's/\\/\\\\/g; s/$/	/; s/^/^/' | tr '\n' '|' | sed 's/|$//')" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	sums "$TMP/i.out" "$(pid w)" $names | grep -E "$(cut -f 1 "$TMP/wanted" | sed 's/\\/\\\\/g; s/$/	/; s/^/^/' | tr '\n' '|' | sed 's/|$//')" >"$TMP/got"
	same intervals-$b "$TMP/wanted" "$TMP/got"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"

	if [ $b = bpf ]; then
		# Directories, and files below one of them.
		load w "$WORK" moves 5 "$TMP/dir"
		start d filetop --backend $b --json --by-dir -p "$(pid w)" 1000
		if [ "$names" ]; then
			refused "below-$b" 'type information' filetop --backend $b -d /tmp 1 1
		else
			start o filetop --backend $b --json -d "$TMP/dir/a
b" -p "$(pid w)" 1000
		fi
		go w
		stop d
		[ "$names" ] || stop o
		in=$(awk -F '\t' '$1 == "moved" && $7 ~ /x0ab\/plain$/ { print $5 + $6 }' "$TMP/w.said")
		[ "$names" ] || equal below-$b "$in" "$(fields "$TMP/o.out" read_bytes written_bytes | awk -F '\t' '{ n += $1 + $2 } END { print n + 0 }')"
		[ "$names" ] || equal below-rows-$b 1 "$(fields "$TMP/o.out" file | grep -c .)"
		equal directory-$b "$in" "$(fields "$TMP/d.out" directory read_bytes written_bytes | awk -F '\t' '
			$1 ~ /a\\x0ab$/ { n += $2 + $3 } END { print n + 0 }')"
	else
		refused "directories-$b" 'directories|dentry|BPF' filetop --backend $b --by-dir 1 1
	fi

	# Many files, all with their names; a process that has ended is no hindrance.
	mkdir "$TMP/dir/m"
	load w "$WORK" many 3000 "$TMP/dir/m"
	start m filetop --backend $b --buffer-pages 1024 --json -p "$(pid w)" 1000
	go w
	stop m
	if lossless many-lost-$b $b "$TMP/m.out"; then
		equal many-$b 3000 "$(fields "$TMP/m.out" file written_bytes | grep -c "many-[0-9]*	1\$")"
	fi
	rm -r "$TMP/dir/m"

	# Pipes only with -a; text.
	load w "$WORK" moves 2 "$TMP/dir"
	start a filetop --backend $b --json -a -p "$(pid w)" 1000
	go w
	stop a
	if grep -q ' do_splice$' /proc/kallsyms; then
		expect pipes-$b grep -qE '"type":"P","file":"pipe' "$TMP/a.out"
	else
		skip pipes-$b "the compiler left nothing of do_splice(): only the file's side of splice(2) is counted"
	fi
	timeout $((20 * SLOW)) "$SONDE" filetop --backend $b -C -r 3 -a 1 2 >"$TMP/text" 2>"$TMP/err"
	equal count-ends-$b 0 $?
	equal heads-$b 2 "$(grep -c '^TID     COMM             READS  WRITES R_Kb    W_Kb    T FILE$' "$TMP/text")"
done
for misuse in '--read-only --write-only' '-s name'; do
	"$SONDE" filetop $misuse >"$TMP/out" 2>"$TMP/err"
	equal "misuse$(echo "$misuse" | tr -d ' ')" 2 $?
done
clean left
quiet kernel-log
