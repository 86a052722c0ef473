#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kinds.sh DOCUMENT DIR NAME...: the part of the document about kinds of probes, made anew: of these kernels as their guests
# said (DIR/NAME/features.json, and selftest.json for tools whose program a guest has not), of others as the document says
# already.
set -u
here=$(cd "$(dirname "$0")" && pwd)
document=$1
results=$2
shift 2

# The columns that the document has: "kept KERNEL TOOL LETTERS", "when KERNEL DATE".
old() {
	sed -n '/^<!-- kinds -->$/,/^<!-- end of kinds -->$/p' "$document" | awk -v OFS='\t' '
		{ n = split($0, cells, / *\| */) }
		/^### / { split("", names) }
		/^\| \| [^|]+ \|/ { for (i = 3; i < n; i++) names[i] = cells[i]; next }
		/^\| / && 3 in names {
			for (i = 3; i < n; i++)
				if (cells[2] == "*looked at*")
					print "when", names[i], cells[i]
				else if (cells[i] != "·")
					print "kept", names[i], cells[2], cells[i]
		}'
}

# What a guest said: "asked KERNEL TOOL", "probe KERNEL TOOL KIND PLACE".
said() {
	awk -v name="$1" -v OFS='\t' '
		FILENAME ~ /features.json$/ {
			n = split($0, parts, /\{"tool": "/)
			for (i = 2; i <= n; i++) {
				tool = parts[i]
				sub(/".*/, "", tool)
				print "asked", name, tool
				if (parts[i] !~ /"engine": "bpf"/)
					continue
				m = split(parts[i], kinds, /"kind": "/)
				for (j = 2; j <= m; j++) {
					sub(/".*/, "", kinds[j])
					print "probe", name, tool, kinds[j]
				}
			}
		}
		FILENAME ~ /selftest.json$/ && /"backend":"bpf"/ && match($0, /"hooks":"[^"]*"/) {
			hooks = substr($0, RSTART + 9, RLENGTH - 10)
			match($0, /"tool":"[^"]*"/)
			tool = substr($0, RSTART + 8, RLENGTH - 9)
			n = split(hooks, kinds, /; */)
			for (i = 1; i <= n; i++)
				if (sub(/^[a-z0-9_.]*: /, "", kinds[i]))
					print "probe", name, tool, kinds[i]
		}' "$2/features.json" $([ ! -s "$2/selftest.json" ] || echo "$2/selftest.json")
	printf 'when\t%s\t%s\n' "$1" "$(date -u -r "$2/features.json" +%Y-%m-%d)"
}

new=
for name; do
	[ ! -s "$results/$name/features.json" ] || new="$new $name"
done
{
	known=" $(old | cut -f 2 | sort -u | tr '\n' ' ')$new "
	awk '!/^(#|$)/ { print $1 "\t" $4 }' "$here/kernels" | while IFS='	' read -r name arch; do
		case $known in *" $name "*) printf 'kernel\t%s\t%s\n' "$name" "$arch" ;; esac
	done
	old | awk -F '\t' -v new="$new " '!index(new, " " $2 " ")'
	for name in $new; do
		said "$name" "$results/$name"
	done
} | awk -f "$here/kinds.awk"
