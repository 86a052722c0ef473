#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cross.sh ARCH: the prefix of the compiler for this row of tests/lab/machines; nothing if this machine's own compiles
# for it.
here=$(dirname "$0")
prefix=$(awk -v arch="$1" '$1 == arch { print $2 }' "$here/lab/machines")
[ -n "$prefix" ] || {
	echo "no machine '$1'; there are: $(awk '!/^(#|$)/ { print $1 }' "$here/lab/machines" | xargs)" >&2
	exit 1
}
[ "${prefix%%-*}" = "$(uname -m)" ] || echo "$prefix"
