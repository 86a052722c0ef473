# SPDX-License-Identifier: GPL-2.0
#
# Where other people's tools of the same names are, for what compares with them. To be sourced.

# libbpf_tool NAME: the program of libbpf-tools. Debian 12 calls them by their plain names, others put a word before or
# behind; bcc's of the same names are scripts.
libbpf_tool() {
	for name in "libbpf-$1" "bpf-$1" "$1-libbpf" "$1-libbpf-tools" "$1"; do
		path=$(command -v "$name" 2>/dev/null) || continue
		# Some are links that go by their names.
		[ "$(head -c 4 "$path" | tail -c 3)" = ELF ] && [ "$(basename "$(readlink -f "$path")")" != sonde ] || continue
		echo "$path"
		return
	done
	return 1
}

# bpftrace_script NAME: bpftrace's own script of that name.
bpftrace_script() {
	for path in /usr/sbin/"$1.bt" /usr/share/bpftrace/tools/"$1.bt" /usr/local/share/bpftrace/tools/"$1.bt"; do
		[ -f "$path" ] && echo "$path" && return
	done
	return 1
}
