# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# With -p a file is one of the process, which may be in a chroot or a container: its paths, its libraries, its links, and
# what tplist says of it. What is at the same path in sonde's own root is not traced.
. "${0%/*}/../lib.sh"

jail=$TMP/jail
mkdir -p "$jail$TMP" "$jail/lib"
cp "$WORK" "$jail/work"
# The same path in both roots, and two files.
expect library "$WORK" library "$jail$TMP/both" || exit 1
expect other-library "$WORK" library "$TMP/both" || exit 1
"$WORK" library "$jail/lib/libjailed.so"
ln -s "$TMP/both" "$jail/link"
ln -s "../../../..$TMP/both" "$jail/above"
ln -s "$jail$TMP/both" "$jail/out"
chroot "$jail" /work help >/dev/null 2>&1
[ $? -lt 125 ] || { skip roots "no program runs in a chroot here"; exit 0; }

enter() {	# COMMAND...: starts the workload there as w, by this command
	"$@" /work -w "/w.go" texts "$TMP/both" 20 >"$TMP/w.said" 2>"$TMP/w.err" &
	w=$!
	running="$running $w"
	wait_for 10 [ -d "$jail/w.go.ready" ]
}
leave() {
	: >"$jail/w.go"
	wait $w
	rm -rf "$jail/w.go" "$jail/w.go.ready"
}

for b in $ENGINES; do
	for path in "$TMP/both" /link /above; do
		name=$b-$(echo "${path##*/}")
		enter chroot "$jail"
		if start_or_skip $name "$(absences $b)" s trace --backend $b --json -p $w "$path:getaddrinfo (arg3 > 18) \"%d\", arg3"; then
			leave
			stop s && equal $name-ends 0 "$STATUS"
			printf '19\n19\n20\n20\n' >"$TMP/wanted"
			fields "$TMP/s.out" value1 | sort >"$TMP/got"
			same $name "$TMP/wanted" "$TMP/got"
		else
			leave
		fi
	done
done

enter chroot "$jail"
# A link out of the root begins at the root.
"$SONDE" trace -p $w "/out:getaddrinfo" 2>"$TMP/said"
equal out 1 $?
contains out-says "$TMP/said" "/out of process $w can't be opened: No such file or directory"
"$SONDE" trace -p $w "$jail$TMP/both:getaddrinfo" 2>"$TMP/said"
equal elsewhere 1 $?
contains elsewhere-says "$TMP/said" "with -p the process's root counts for a path"
# A library is looked for there as well.
"$SONDE" trace --dump -p $w 'jailed:getaddrinfo' >"$TMP/said" 2>&1
equal library-there 0 $?
mkdir "$jail/usr"
"$SONDE" trace --dump -p $w 'c:getaddrinfo' >"$TMP/said" 2>&1
equal no-library 1 $?
contains no-library-says "$TMP/said" 'none of the processes of -p has mapped one, and none is where they look for it'
# What it sees at a path that only sonde can write.
"$SONDE" tplist -p $w '*:beat' >"$TMP/got" 2>"$TMP/said"
leave
equal names "/work sonde_work:beat" "$(cat "$TMP/got")"
contains names-note "$TMP/said" "as process $w sees them"

# A file that was replaced when it had been mapped: the process has the old one still.
chroot "$jail" /work maps "$TMP/both" >"$TMP/w.said" &
w=$!
running="$running $w"
wait_for 10 grep -q mapped "$TMP/w.said"
"$WORK" library "$jail/new" && mv "$jail/new" "$jail$TMP/both"
"$SONDE" tplist -p $w '*:gets' >"$TMP/got" 2>"$TMP/said"
file=$(sed -n 's/ .*//p' "$TMP/got")
counted() { fields "$TMP/s.out" count | grep -q '^[1-9]'; }
contains replaced-name "$TMP/got" '^/proc/[0-9]*/map_files/[0-9a-f]*-[0-9a-f]* sonde:gets$'
for path in "$TMP/both" "$file"; do
	name=replaced-$(echo "${path##*/}" | sed 's/.*-.*/mapping/')
	if start_or_skip $name "$(absences bpf)" s funccount --json -i 1 -p $w "$path:gets"; then
		expect $name wait_for 20 counted
		stop s
	fi
done
kill $w

# A container's mounts.
unshare -m true 2>/dev/null || { skip mounts "no mount namespaces here"; clean left; exit 0; }
for b in $ENGINES; do
	enter unshare -m chroot "$jail"
	if start_or_skip mounts-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p $w \
		-C "p:$TMP/both:getaddrinfo(char *a, u64 f, int n):int:n:n > 18#calls"; then
		leave
		stop s
		printf '2\t19\n2\t20\n' >"$TMP/wanted"
		fields "$TMP/s.out" count value1 | sort >"$TMP/got"
		same mounts-$b "$TMP/wanted" "$TMP/got"
	else
		leave
	fi
	# Addresses of symbols of a library there: how far one is from the other is the file's.
	enter unshare -m chroot "$jail"
	if start_or_skip symbols-$b "$(absences $b)" s bt --backend $b -q -p $w -e "u:$TMP/both:getaddrinfo {
		@[(uint64)uaddr(\"getaddrinfo\") == reg(\"ip\"), uaddr(\"gets\") > 0, (int64)uaddr(\"gets\") - reg(\"ip\")] = count(); }"; then
		leave
		stop s
		equal symbols-$b '@[true, true, 1536]:' "$(sed 's/ [1-9][0-9]*$//' "$TMP/s.out" | xargs)"
	else
		leave
	fi
done
clean left
quiet kernel-log
