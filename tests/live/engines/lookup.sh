# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# A function by its whole name is looked up in the kernel, where that tells all: what is found, and what is said where
# it can't be probed, is the same as by all of kallsyms, which is not read then. Elsewhere it is read once.
. "${0%/*}/../lib.sh"

# read_by TOOL ARGS...: how many bytes it reads to make its plan, without the kernel's own look.
read_by() {
	sh -c '"$@" --dump --backend bpf --without kprobe-unique >/dev/null 2>&1 && cat /proc/$$/io' sh "$SONDE" "$@" |
		sed -n 's/^rchar: //p'
}
if ! has_kprobes; then
	skip once "this kernel has no kprobes"
elif [ ! -r /proc/self/io ]; then
	skip once "the kernel does not count what is read"
else
	size=$(wc -c </proc/kallsyms)
	between once-name $size "$(read_by trace vfs_read)" $((size * 3 / 2))
	between once-renamed $size "$(read_by trace do_sys_open)" $((size * 3 / 2))
	between once-several $size "$(read_by trace vfs_read r::vfs_write)" $((size * 3 / 2))
	between once-call $size "$(read_by trace sys_read)" $((size * 3 / 2))
	between once-latency $size "$(read_by argdist -H 'r::vfs_read():u64:$latency')" $((size * 3 / 2))
fi

if ! "$SONDE" features -v | grep -qE '^kprobe-unique +(yes|expected)'; then
	skip lookup "this kernel does not refuse kprobes on names that several functions have"
	exit 0
fi

# dump NAME OPTIONS...: what is probed, or why it is not.
dump() {
	name=$1
	shift
	"$SONDE" trace --dump --backend bpf "$@" "$name" 2>&1 | sed -n 1,4p
}

twice=$(sed 's/	.*//' /proc/kallsyms | awk '$2 ~ /[tT]/ { n[$3]++ } END { for (f in n) if (n[f] == 2) { print f; exit } }')
data=$(awk '$2 ~ /[dDbB]/ && NF == 3 { print $3; exit }' /proc/kallsyms)
gone=$(awk '$3 == "_sinittext" { begun = 1; next } begun && $2 ~ /[tT]/ && NF == 3 && $3 !~ /^_|\./ { print $3; exit }' /proc/kallsyms)
module=$(awk '$2 ~ /[tT]/ && $4 ~ /^\[/ && $4 != "[bpf]" && $4 !~ /builtin/ && $3 !~ /\./ { print $3; exit }' /proc/kallsyms)
clone=$(awk '$2 ~ /[tT]/ && $3 ~ /\.isra\.0$/ { sub(/\.isra\.0$/, "", $3); print $3; exit }' /proc/kallsyms)
refused=$(awk '{ print $2; exit }' /sys/kernel/debug/kprobes/blacklist 2>/dev/null)
for name in vfs_read r:vfs_read do_sys_open sys_read r:sys_nanosleep blk_account_io_start vfs_raed no_such_function \
		__pfx_vfs_read $twice $data $gone $module $clone $refused; do
	dump "$name" >"$TMP/got"
	dump "$name" --without kprobe-unique >"$TMP/wanted"
	same "$name" "$TMP/wanted" "$TMP/got"
done

# Names of symbols are megabytes.
if [ -r /proc/self/io ] && [ "$(cat /proc/sys/kernel/kptr_restrict)" != 2 ]; then
	for name in vfs_read r:vfs_read sys_read; do
		sh -c '"$0" trace --dump --backend bpf "$1" >/dev/null 2>&1; cat /proc/$$/io' "$SONDE" $name >"$TMP/io"
		between "bytes-$name" 0 "$(awk '/^rchar/ { print $2 }' "$TMP/io")" 1000000
	done
else
	skip bytes "the kernel does not count what is read, or hides addresses"
fi
quiet kernel-log
