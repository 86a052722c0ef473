#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# modules.sh FROM RELEASE TO: takes the modules of tests/lab/modules, and what they need, from the folder FROM (a kernel's
# lib/modules/RELEASE), unpacks them, and puts them with their modules.dep below TO/lib/modules. A guest is given only
# these: all of them take 400 MB, and its busybox unpacks none. FROM is changed: what was compressed is unpacked there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
from=$1 release=$2 to=$3/lib/modules/$2

# index FOLDER: the modules.dep of the modules in it. Busybox takes a name without three numbers (7.3-amd64) for a module,
# and indexes those of the kernel that runs here.
index() {
	root=$(mktemp -d)
	mkdir -p "$root/lib/modules"
	ln -s "$1" "$root/lib/modules/0.0.0"
	busybox depmod -b "$root" 0.0.0
	rm -r "$root"
}

find "$from/" -name '*.ko.xz' -exec xz -d '{}' + -o -name '*.ko.gz' -exec gzip -d '{}' + \
	-o -name '*.ko.zst' -exec zstd -q -d --rm '{}' +
index "$from"
mkdir -p "$to"
to=$(cd "$to" && pwd)
grep -v '^#' "$here/modules" | while read -r m; do
	# A line of modules.dep: the module's file, a colon, the files of all it needs.
	grep -E "(^|/)$m\.ko:" "$from/modules.dep" || true
done | tr -d : | tr ' ' '\n' | sort -u | sed '/^$/d' >"$to/wanted"
(cd "$from" && cpio -pdm --quiet "$to" <"$to/wanted")
rm "$to/wanted"
for f in "$from"/modules.builtin* "$from/modules.order"; do
	[ ! -f "$f" ] || cp "$f" "$to/"
done
index "$to"
