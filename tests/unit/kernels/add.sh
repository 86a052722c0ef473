#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# add.sh WHOLE NAME...: adds to the small snapshots beside this script what a test asks for, from the whole ones in the
# folder WHOLE: formats of events (SYSTEM:EVENT) and functions.
set -eu
cd "${0%/*}"
whole=$1
shift
for k in */; do
	zcat "${k}kallsyms-names.gz" >"$k/names"
	for name; do
		case $name in
		*:*)
			event=formats/${name%%:*}/${name#*:}
			[ -d "$whole/$k$event" ] || continue
			mkdir -p "$k$event"
			cp "$whole/$k$event/format" "$k$event/"
			;;
		*)
			grep -q " $name\$" "$k/names" || zcat "$whole/${k}kallsyms-names.gz" | grep " $name\$" >>"$k/names" || :
			;;
		esac
	done
	gzip -9n <"$k/names" >"${k}kallsyms-names.gz"
	rm "$k/names"
done
