#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# pack.sh FOLDER: packs the snapshots of kernels in this folder (a folder for each, called by its version: 6.1) into the
# files beside this script. unpack.sh is the way back.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"

# Each file with different contents once, with the kernels that have it so; event numbers are beside their kernels.
find . -type f ! -name kallsyms-names.gz ! -name available_events ! -name config.gz | sed 's|^\./\([^/]*\)/|\1 |' |
	sort -k 2,2 -k 1,1V | awk '
	function show(i) {
		for (i = 1; i <= n; i++)
			printf "@ %s%s\n%s", path, kernels[i], text[i]
	}
	$2 != path { show(); n = 0; path = $2 }
	{
		file = $1 "/" $2
		this = ""
		number = ""
		while ((getline line <file) > 0) {
			if (path ~ /^formats\// && line ~ /^ID: [0-9]+$/) {
				number = "=" substr(line, 5)
				line = "ID:"
			}
			this = this line "\n"
		}
		close(file)
		for (i = 1; i <= n && text[i] != this; i++)
			;
		if (i > n) {
			n = i
			text[n] = this
			kernels[n] = ""
		}
		kernels[i] = kernels[i] " " $1 number
	}
	END { show() }' >"$here/texts"

# lists NAME COMMAND...: lists of lines whose order says nothing: each line once, below the kernels that have it.
lists() {
	name=$1
	shift
	for kernel in $(ls | sort -V); do
		"$@" "$kernel/$name" | sort -u | sed "s/^/$kernel	/"
	done | awk -F '\t' -v name="$name" '
		{ kernels[$2] = kernels[$2] " " $1 }
		END { for (line in kernels) print "@ " name kernels[line] "\t" line }' |
		sort | awk -F '\t' '$1 != head { print head = $1 } { print $2 }'
}
{
	lists available_events cat
	lists config sh -c '! [ -f "$0.gz" ] || gzip -dc "$0.gz" | grep "^CONFIG_"'
} >"$here/lists"
# Those that come before others follow from these.
lists kallsyms-names sh -c 'gzip -dcf "$0.gz" | grep -v "^. __\(pfx\|cfi\)_"' | gzip -9n >"$here/functions.gz"
