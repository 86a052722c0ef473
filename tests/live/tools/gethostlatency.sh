# SPDX-License-Identifier: GPL-2.0
#
# gethostlatency: each look-up of a known workload is one row with its latency, on every engine; libraries in other
# namespaces and removed ones are found; the machine's own C libraries, where there are any.
. "${0%/*}/../lib.sh"

# often: the processes whose look-up by way of their mapping was shown three times; looked_up: all that are wanted.
often() {
	fields "$TMP/f.out" pid host | sort | uniq -c | awk '$1 >= 3 && $3 == "mapped.example" { print $2 }'
}
looked_up() {
	often >"$TMP/pids"
	grep -q "^$(pid m)$" "$TMP/pids" && { ! grep -q mapped "$TMP/n.said" || grep -q "^$(pid n)$" "$TMP/pids"; }
}

mkdir "$TMP/a b:c"
lib=$TMP/libc.so.6
odd="$TMP/a b:c/libc.so.6"
expect library "$WORK" library "$lib" || exit 1
cp "$lib" "$odd"

# Nothing may be tried there that brings programs down.
case $(uname -m) in
arm*)
	for b in $ENGINES; do
		start_or_skip arm-$b "can't be probed on 32-bit ARM" s gethostlatency --backend $b --libc "$lib" || continue
		stop s
		fail arm-$b "it probes returns of user space"
	done
	clean left
	exit 0
	;;
esac

# mapper ID ARGS...: a process that has mapped a library, and asks for mapped.example all the time.
mapper() {
	mapper_id=$1
	shift
	"$@" >"$TMP/$mapper_id.said" 2>&1 &
	running="$running $!"
	eval "pid_$mapper_id=$!"
	wait_for 10 grep -q mapped "$TMP/$mapper_id.said"
}
end_mapper() {
	kill -KILL "$(pid "$1")"
	wait "$(pid "$1")" 2>/dev/null
	forget "$1"
}

for b in $ENGINES; do
	load w "$WORK" -c 'h\x0a"' hosts "$lib" 7
	load o "$WORK" hosts "$lib" 1
	start_or_skip rows-$b "$(absences $b)" s gethostlatency --backend $b --json --libc "$lib" -p "$(pid w)" || { go w o; continue; }
	go w o
	stop s && equal ends-$b 0 "$STATUS"
	fields "$TMP/s.out" pid comm call host >"$TMP/got" || fail json-$b "$(tail -n 1 "$TMP/got")"
	awk -F '\t' -v OFS='\t' '{ print $2, $3, $4, $7 }' "$TMP/w.said" >"$TMP/wanted"
	same rows-$b "$TMP/wanted" "$TMP/got"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	# Not less than what was done within, not more than it took from outside; rounded to 10 us.
	fields "$TMP/s.out" lat_ms >"$TMP/lat"
	paste "$TMP/lat" "$TMP/w.said" | awk -F '\t' '
		$1 + 0.006 < $6 / 1e6 || $1 - 0.006 > $7 / 1e6 { print; n++ }
		END { exit n > 0 || !NR }' >"$TMP/wrong" && pass latency-$b || { fail latency-$b "outside of:"; notes "$TMP/wrong"; }

	# As bcc's; two files; those of one name.
	load w "$WORK" -c mine hosts "$odd" 1
	load o "$WORK" -c other hosts "$lib" 1
	start t gethostlatency --backend $b -l "$lib,$odd" --name ine
	go w o
	stop t
	{
		echo "PID     COMM             HOST"
		awk -F '\t' '{ printf "%-7s %-16s %s\n", $2, $3, $7 }' "$TMP/w.said" | sed 's/\\x5c/\\\\/; s/\\x20/ /; s/\\x0a/\\n/'
	} >"$TMP/wanted"
	awk '{ sub(/^[0-9:TIME]+ +/, ""); print substr($0, 1, 25) substr($0, 37) }' "$TMP/t.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"

	# What processes have mapped: under an odd path; in a mount namespace, and removed since.
	mapper m "$WORK" maps "$odd"
	mapper n "$WORK" maps "$TMP/a b:c" libc.so.6 || skip namespace-$b "no mount namespace here: $(cat "$TMP/n.said")"
	start f gethostlatency --backend $b --json
	wait_for 10 looked_up
	stop f
	often >"$TMP/pids"
	contains mapped-$b "$TMP/pids" "^$(pid m)$"
	! grep -q mapped "$TMP/n.said" || contains namespace-$b "$TMP/pids" "^$(pid n)$"
	end_mapper m
	end_mapper n
done

# Programs of 32 bits on a kernel of 64: where the machine can, by bpf.
if need32 rows-32; then
	"$WORK32" library "$TMP/libc-2.32.so"
	for b in $ENGINES; do
		load w "$WORK32" hosts "$TMP/libc-2.32.so" 2
		mapper m "$WORK32" maps "$TMP/libc-2.32.so"
		mapper n "$WORK" maps "$lib"		# something that can be probed by all
		start_or_skip rows-32-$b "$(absences $b)" s gethostlatency --backend $b --json --verbose || { go w; end_mapper m; end_mapper n; continue; }
		go w
		stop s
		end_mapper m
		end_mapper n
		fields "$TMP/s.out" pid comm call host | grep "^$(sed -n '1s/host	\([0-9]*\).*/\1/p' "$TMP/w.said")	" >"$TMP/got"
		if grep -q "libc-2.32.so is not probed: " "$TMP/s.err"; then
			[ "$b" = bpf ] && [ "$(uname -m)" = x86_64 ] && has uretprobe-32 && fail said-no-32-$b "left out, although bpf can" || pass said-no-32-$b
			equal rows-32-$b 0 "$(wc -l <"$TMP/got")"
		else
			awk -F '\t' -v OFS='\t' '{ print $2, $3, $4, $7 }' "$TMP/w.said" >"$TMP/wanted"
			same rows-32-$b "$TMP/wanted" "$TMP/got"
		fi
	done
fi

# The C libraries of this machine: glibc's by getent, musl's by a program built for it.
cat >"$TMP/ask.c" <<-'C'
	#include <netdb.h>
	#include <stddef.h>
	int main(int argc, char **argv)
	{
		struct addrinfo *a;
		(void)argc;
		getaddrinfo(argv[1], NULL, NULL, &a);
		gethostbyname(argv[1]);
		gethostbyname2(argv[1], 2);
		return 0;
	}
C
for c in gcc musl-gcc; do
	if ! $c -o "$TMP/ask-$c" "$TMP/ask.c" 2>/dev/null; then
		skip real-$c "no program of this C library can be built here"
		continue
	fi
	for b in $ENGINES; do
		start_or_skip real-$c-$b "$(absences $b)" s gethostlatency --backend $b --json --name ask- || continue
		for host in 127.0.0.1 localhost; do
			"$TMP/ask-$c" $host &
			wait $!
			for call in getaddrinfo gethostbyname gethostbyname2; do
				printf '%s\t%s\t%s\n' $! $call $host
			done
		done >"$TMP/wanted"
		stop s
		fields "$TMP/s.out" pid call host >"$TMP/got"
		same real-$c-$b "$TMP/wanted" "$TMP/got"
	done
done

expect no-function sh -c '! "$0" gethostlatency --libc "$0" 2>"$1" && grep -q "has no function getaddrinfo" "$1"' \
	"$SONDE" "$TMP/misuse"
expect no-file sh -c '! "$0" gethostlatency -l /nosuch/libc.so.6 2>"$1" && grep -q "can.t be opened" "$1"' \
	"$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
