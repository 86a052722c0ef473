#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# image.sh TYPE FILE [SIZE]: makes FILE a small file system of this type. 1: it can't be made here; the reason is on stderr.
# Only with what kernels of 3.10 know of it (xfs: 3.15).
set -eu
[ $# = 2 ] || [ $# = 3 ] || { sed -n '/^# image.sh/p' "$0" | sed 's/^# //' >&2; exit 2; }
command -v "mkfs.$1" >/dev/null || { echo "mkfs.$1 is not installed" >&2; exit 1; }
small=24M options=
case $1 in
ext4) options="-q -O none,has_journal,ext_attr,dir_index,filetype,extent,flex_bg,sparse_super,large_file,huge_file" ;;
xfs) options="-q -f -m crc=1,finobt=0,rmapbt=0,reflink=0,bigtime=0,inobtcount=0 -i sparse=0,nrext64=0 --unsupported" ;;
btrfs) options="-q -f -M -O ^no-holes -R ^free-space-tree" small=32M ;;
f2fs) options="-q -f" small=64M ;;
*) echo "no small $1 is known" >&2; exit 1 ;;
esac
rm -f "$2"
truncate -s "${3:-$small}" "$2"
"mkfs.$1" $options "$2" >/dev/null 2>&1 && exit
# Before 5.19 mkfs.xfs had no such option, and no limit; or it takes no less than this.
truncate -s 300M "$2"
"mkfs.$1" $(echo "$options" | sed 's/ --unsupported//') "$2" >/dev/null
