#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# unpack.sh FOLDER: makes the folder, with a snapshot of each kernel in it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
# The files that a block of a packed text stands for.
files='
	function files(i, part) {
		for (i = 1; i <= n; i++)
			close(file[i])
		n = NF - 2
		for (i = 1; i <= n; i++) {
			split($(i + 2), part, "=")
			file[i] = part[1] "/" $2
			number[i] = part[2]
		}
	}'
awk "$files"'
	/^@/ { files(); for (i = 1; i <= n; i++) { sub(/\/[^\/]*$/, "", file[i]); print file[i] } }
	' "$here/texts" | sort -u | xargs mkdir -p
{ cat "$here/texts" "$here/lists"; gzip -dc "$here/functions.gz"; } | awk "$files"'
	/^@/ { files(); for (i = 1; i <= n; i++) printf "" >>file[i]; next }
	{ for (i = 1; i <= n; i++) print ($0 == "ID:" ? "ID: " number[i] : $0) >>file[i] }'
gzip -1 */config
# zlib reads a plain file of this name as well. It is read thousands of times.
for names in */kallsyms-names; do
	mv "$names" "$names.gz"
done
