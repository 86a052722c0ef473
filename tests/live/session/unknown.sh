# SPDX-License-Identifier: GPL-2.0
# timeout: 400
#
# What sonde could not find out is said so, and is not said to be missing in the kernel: without room for files, with
# errors of reading, without /proc, and where namespaces may not be looked at.
. "${0%/*}/../lib.sh"

untrue='this kernel has no|this kernel takes no|does not exist|has none|did you mean|no such|is not in the initial|another pid namespace|not mounted or not readable'

# honest NAME STATUS ERR CAUSE: it ran, or it refused (1; 2: an option) and named the cause; in no case it blames the kernel for it.
honest() {
	if [ "$2" = 0 ]; then
		pass "$1"
	elif [ "$2" != 127 ] && [ "$2" -le 2 ] && grep -qE -e "$4" "$3" && ! grep -qE -e "$untrue" "$3"; then
		pass "$1"
	else
		fail "$1" "status $2, and:"
		notes "$3"
		return 1
	fi
}

# ---- no room for files ----

for b in $ENGINES; do
	for tool in offcputime tcpconnect; do
		# What it can't do here with room for all is no matter of this test.
		timeout $((30 * SLOW)) "$SONDE" $tool --backend $b --duration 1 >"$TMP/out" 2>"$TMP/err" </dev/null || {
			absent files-$tool-$b $b "$TMP/err" || skip files-$tool-$b "$(tail -n 2 "$TMP/err" | head -n 1)"
			continue
		}
		for n in 3 4 5 6 8 12; do
			timeout $((30 * SLOW)) sh -c 'ulimit -n $1 && shift && exec "$@"' sh $n "$SONDE" $tool --backend $b \
				--duration 1 >"$TMP/out" 2>"$TMP/err" </dev/null
			honest files-$n-$tool-$b $? "$TMP/err" '[Tt]oo many open files'
		done
	done
	clean files-left-$b
done
(ulimit -n 3 && exec "$SONDE" tcpconnect -p 1 --duration 1) >"$TMP/out" 2>"$TMP/err" </dev/null
honest files-3-process $? "$TMP/err" '[Tt]oo many open files'

# ---- no room in memory ----

# What lines say, without what depends on which tool says a reason first.
said() { grep -E '^[a-z0-9_-]+ +(yes|no|unknown|none|part|bpf|perf|ftrace) ' | grep -vE ' (in full|as [a-z0-9]+)$'; }
if command -v prlimit >/dev/null; then
	"$SONDE" features 2>"$TMP/err" | said >"$TMP/features"
	for kb in 3500 4000 5000 6000 8000; do
		prlimit --as=$((kb * 1000)) "$SONDE" features 2>"$TMP/err" | said >"$TMP/out"
		grep -vxFf "$TMP/features" "$TMP/out" | grep -viE 'memory' >"$TMP/untrue"
		same memory-$kb /dev/null "$TMP/untrue"
	done
else
	skip memory "no prlimit here"
fi

# ---- errors of reading ----

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	# injected NAME CAUSE CALLS:ERROR ARGS...: the first of these calls that fails, then the second, and so on.
	injected() {
		name=$1
		cause=$2
		what=$3
		shift 3
		for when in 30 60 90 120; do
			timeout $((60 * SLOW)) strace -f -o "$TMP/strace" -e "trace=${what%%:*}" -e "inject=$what:when=$when" "$SONDE" "$@" \
				>"$TMP/out" 2>"$TMP/err" </dev/null
			honest "$name-$when" $? "$TMP/err" "$cause"
		done
	}
	for b in $ENGINES; do
		timeout $((30 * SLOW)) "$SONDE" tcpconnect --backend $b --duration 1 >"$TMP/out" 2>"$TMP/err" </dev/null || continue
		injected read-$b 'Input/output error' read:error=EIO tcpconnect --backend $b --duration 1
		injected open-$b 'Input/output error' openat:error=EIO tcpconnect --backend $b --duration 1
	done
	# An old kernel's bpf(2) has no maps.
	strace -f -o "$TMP/strace" -e trace=bpf -e inject=bpf:error=EINVAL "$SONDE" tcpconnect --backend bpf --duration 1 \
		>"$TMP/out" 2>"$TMP/err" </dev/null
	equal bpf-3.18 1 $?
	contains bpf-3.18-why "$TMP/err" 'makes no arrays and hashes .since 3.19.'
	strace -f -o "$TMP/strace" -P /proc/self/ns/pid -e inject=all:error=EACCES "$SONDE" tcpconnect -p $$ --duration 1 \
		>"$TMP/out" 2>"$TMP/err" </dev/null
	honest namespace $? "$TMP/err" 'could not find out in which pid namespace it runs: /proc/self/ns/pid: Permission denied'
else
	skip injected "strace is not installed, or may not trace here"
fi

# ---- no /proc ----

if unshare -m true 2>/dev/null; then
	# What is below is no /proc either.
	no_proc() { unshare -m sh -c 'mount --make-rprivate / && while umount -l /proc 2>/dev/null; do :; done; exec "$@"' sh "$@"; }
	for b in $ENGINES; do
		timeout $((30 * SLOW)) "$SONDE" tcpconnect --backend $b --duration 1 >"$TMP/out" 2>"$TMP/err" </dev/null || continue
		for options in '' "-p $$" "--pidns $$"; do
			no_proc timeout $((30 * SLOW)) "$SONDE" tcpconnect --backend $b $options --duration 1 \
				>"$TMP/out" 2>"$TMP/err" </dev/null
			honest "no-proc-$b-${options%% *}" $? "$TMP/err" '/proc is not mounted'
		done
	done
else
	skip no-proc "no mount namespaces here"
fi
clean left
