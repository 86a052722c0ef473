# SPDX-License-Identifier: GPL-2.0
#
# threadsnoop: each thread of a known workload is one row with the function that it executes, on every engine, also of a
# process that has ended; with the functions that made it; of the machine's own C libraries.
. "${0%/*}/../lib.sh"

case $(uname -m) in
arm*)
	skip rows "returns of functions can't be probed on 32-bit ARM"
	exit 0
	;;
esac

for b in $ENGINES; do
	load w "$WORK" threads 20
	load o "$WORK" threads 3
	start_or_skip rows-$b "$(absences $b)" s threadsnoop --backend $b --json -l "$WORK" -p "$(pid w)" || { go w o; continue; }
	start u threadsnoop --backend $b -U -l "$WORK" -p "$(pid w)"
	go w o
	stop s && equal ends-$b 0 "$STATUS"
	stop u
	fields "$TMP/s.out" pid comm func module >"$TMP/got" || fail json-$b "$(tail -n 1 "$TMP/got")"
	awk -F '\t' -v OFS='\t' '{ print $2, "work", $3, "work" }' "$TMP/w.said" >"$TMP/wanted"
	same rows-$b "$TMP/wanted" "$TMP/got"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	contains head-$b "$TMP/u.out" '^TIME +PID +COMM +FUNC$'
	equal stacks-$b 20 "$(grep -c '^    .*job_threads' "$TMP/u.out")"
done

cat >"$TMP/make.c" <<-'C'
	#include <pthread.h>
	#include <stddef.h>
	void *start_here(void *p) { return p; }
	int main(void)
	{
		pthread_t t;
		return pthread_create(&t, NULL, start_here, NULL) || pthread_join(t, NULL);
	}
C
for c in gcc musl-gcc; do
	if ! $c -o "$TMP/make-$c" "$TMP/make.c" -pthread 2>/dev/null; then
		skip real-$c "no program of this C library can be built here"
		continue
	fi
	for b in $ENGINES; do
		start_or_skip real-$c-$b "$(absences $b)" s threadsnoop --backend $b --json --name make- || continue
		"$TMP/make-$c" &
		wait $!
		printf '%s\tstart_here\n' $! >"$TMP/wanted"
		stop s
		fields "$TMP/s.out" pid func >"$TMP/got"
		same real-$c-$b "$TMP/wanted" "$TMP/got"
	done
done
expect no-function sh -c '! "$0" threadsnoop -l "$0" 2>"$1" && grep -q "has no function pthread_create" "$1"' "$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
