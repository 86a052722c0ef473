# SPDX-License-Identifier: GPL-2.0
#
# A function by its whole name is looked up in the kernel, where that tells all: what is found, and what is said where
# it can't be probed, is the same as by all of kallsyms, which is not read then.
. "${0%/*}/lib.sh"

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
