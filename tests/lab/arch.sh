#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# arch.sh NAME: the machine (a row of tests/lab/machines) of a kernel or form of the lab: of tests/lab/kernels, of
# tests/lab/forms, or of the images in $SONDE_LAB_KERNELS (tests/lab/own.sh). arch.sh: the names of all of these.
here=$(cd "$(dirname "$0")" && pwd)
own=${SONDE_LAB_KERNELS:-}

[ $# = 1 ] || {
	awk '!/^(#|$)/ { print $1 }' "$here/kernels" "$here/forms"
	[ -z "$own" ] || (cd "$own" && ls -d */machine 2>/dev/null | sed 's,/.*,,' | sort -V)
	exit 0
}
if [ -n "$own" ] && [ -f "$own/$1/machine" ]; then
	exec cat "$own/$1/machine"
fi
arch=$(awk -v name="$1" 'FILENAME ~ /forms$/ && $1 == name { name = $2 } FILENAME ~ /kernels$/ && $1 == name { print $4 }' \
	"$here/forms" "$here/kernels")
[ -n "$arch" ] || {
	echo "no kernel and no form '$1'; there are: $("$0" | xargs)" >&2
	exit 2
}
echo "$arch"
