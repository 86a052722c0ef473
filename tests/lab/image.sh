#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# image.sh TYPE FILE: makes FILE a small file system of this type. 1: it can't be made here; the reason is on stderr.
set -eu
[ $# = 2 ] || { sed -n '/^# image.sh/p' "$0" | sed 's/^# //' >&2; exit 2; }
command -v "mkfs.$1" >/dev/null || { echo "mkfs.$1 is not installed" >&2; exit 1; }
small=24M options=
case $1 in
ext4) options=-q ;;
xfs) options="-q -f --unsupported" ;;
btrfs) options="-q -f -M" small=32M ;;
f2fs) options="-q -f" small=64M ;;
*) echo "no small $1 is known" >&2; exit 1 ;;
esac
rm -f "$2"
truncate -s $small "$2"
"mkfs.$1" $options "$2" >/dev/null 2>&1 && exit
# Before 5.19 mkfs.xfs had no such option, and no limit; or it takes no less than this.
truncate -s 300M "$2"
"mkfs.$1" $(echo "$options" | sed 's/ --unsupported//') "$2" >/dev/null
