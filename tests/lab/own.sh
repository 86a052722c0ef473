#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# own.sh IMAGE FOLDER: makes FOLDER a kernel of the lab, of a kernel image of yours: what boots (bzImage, Image, zImage;
# vmlinux where the machine boots that), compressed or not.
#
# Options before IMAGE: --modules DIR: its modules, lib/modules/RELEASE or the folder of a package that has one below;
# --machine ARCH: a row of tests/lab/machines, where the image does not tell it; --config FILE: its configuration;
# --made TEXT: how it was made, for the document.
#
# The folder: vmlinuz, machine, release, made, and lib/ with the modules that guests are given. A folder of such folders is
# what SONDE_LAB_KERNELS names; then `lab.sh K=NAME` boots FOLDER's NAME, and all.sh takes it for a kernel of the lab.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '/^# own.sh/,/^set/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }
wrong() { echo "lab: $*" >&2; exit 2; }

modules= machine= config= made=
while [ $# -gt 2 ]; do
	case $1 in
	--modules) modules=$2 ;;
	--machine) machine=$2 ;;
	--config) config=$2 ;;
	--made) made=$2 ;;
	*) usage ;;
	esac
	shift 2
done
[ $# = 2 ] || usage
image=$1 folder=$2
[ -f "$image" ] || wrong "there is no kernel image $image"
[ -z "$modules" ] || [ -d "$modules" ] || wrong "there is no folder $modules of modules"
[ -z "$config" ] || [ -f "$config" ] || wrong "there is no configuration $config"

new=$(mktemp -d "${TMPDIR:-/tmp}/sonde-own.XXXXXX")
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
kernel=$new/vmlinuz

# bytes OFFSET COUNT: as hexadecimal digits.
bytes() { od -A n -t x1 -v -j "$1" -N "$2" "$kernel" 2>/dev/null | tr -d ' \n'; }
# number OFFSET: 32 bits, the lowest first.
number() {
	set -- $(od -A n -t u1 -v -j "$1" -N 4 "$kernel")
	echo $(($1 + $2 * 256 + $3 * 65536 + $4 * 16777216))
}
# unpack COMMAND...: the image, by this.
unpack() {
	command -v "$1" >/dev/null || wrong "$image is compressed, and $1 is not installed"
	# Some have more behind them: a table of devices.
	"$@" <"$kernel" >"$new/unpacked" 2>/dev/null || [ -s "$new/unpacked" ] || wrong "$image can't be unpacked by $1"
	mv "$new/unpacked" "$kernel"
}
cp "$image" "$kernel"
chmod u+w "$kernel"
# An EFI program that unpacks itself (zboot) has an image in it, and says where.
if [ "$(bytes 4 4)" = 7a696d67 ]; then
	tail -c "+$(($(number 8) + 1))" "$kernel" | head -c "$(number 12)" >"$new/inner"
	mv "$new/inner" "$kernel"
fi
case $(bytes 0 6) in
1f8b*) unpack gzip -dc ;;
fd377a585a00) unpack xz -dc ;;
28b52ffd*) unpack zstd -dc ;;
02214c18* | 04224d18*) unpack lz4 -dc ;;
425a68*) unpack bzip2 -dc ;;
esac

# What it is: magic numbers that boot loaders go by.
found=
if [ "$(bytes 514 4)" = 48647253 ]; then		# HdrS: x86; from 3.8 on a bit says that its entry is one of 64 bits
	found=i386
	case $(bytes 566 1) in *[13579bdf]) found=amd64 ;; esac
elif [ "$(bytes 56 4)" = 41524d64 ]; then		# ARM\x64
	found=arm64
elif [ "$(bytes 56 4)" = 52534305 ]; then		# RSC\x05
	found=riscv64
elif [ "$(bytes 36 4)" = 18286f01 ]; then		# zImage
	found=armhf
elif [ "$(bytes 65544 6)" = 533339304550 ]; then	# S390EP
	found=s390x
elif [ "$(bytes 0 4)" = 7f454c46 ]; then
	case $(bytes 18 2) in
	1500) found=ppc64el ;;
	03* | 3e*) wrong "$image is an ELF file, which no boot loader of x86 takes: give arch/x86/boot/bzImage" ;;
	b700 | 2800 | f300) wrong "$image is an ELF file, with symbols: give what boots, of arch/*/boot (Image, zImage)" ;;
	esac
elif [ "$(bytes 0 8)" = 414e44524f494421 ]; then
	wrong "$image is Android's boot image: give the kernel in it (unpack_bootimg --boot_img FILE)"
fi
[ -n "$found$machine" ] ||
	wrong "$image is no kernel image that is known here; if it is one, --machine (MACHINE=) says for which machine"
[ -z "$found" ] || [ -z "$machine" ] || [ "$found" = "$machine" ] || wrong "$image is for $found, not for $machine"
machine=${machine:-$found}
grep -q "^$machine[[:space:]]" "$here/machines" ||
	wrong "no machine is called $machine; there are: $(awk '!/^(#|$)/ { print $1 }' "$here/machines" | xargs)"

# The release: what x86's header says, or the text of /proc/version in an image that is not compressed.
release=
case $found in
amd64 | i386)
	set -- $(od -A n -t u1 -v -j 526 -N 2 "$kernel")
	release=$(tail -c "+$(($1 + $2 * 256 + 512 + 1))" "$kernel" | head -c 64 | tr '\0' ' ' | cut -d ' ' -f 1)
	;;
*) release=$(grep -aom 1 'Linux version [0-9][^ ]*' "$kernel" | awk '{ print $3; exit }') ;;
esac

mkdir "$new/lib"
if [ -n "$modules" ]; then
	# A package's or a file system's root has releases in lib/modules.
	for d in "$modules/lib/modules" "$modules/usr/lib/modules"; do
		[ ! -d "$d" ] || modules=$d
	done
	if [ ! -d "$modules/kernel" ] && ! ls "$modules"/*.ko* >/dev/null 2>&1; then
		if [ -n "$release" ] && [ -d "$modules/$release" ]; then
			modules=$modules/$release
		elif [ "$(ls "$modules" | wc -l)" = 1 ]; then
			modules=$modules/$(ls "$modules")
		else
			wrong "$modules has no folder of modules for this kernel (${release:-of an unknown release}): $(ls "$modules" | xargs)"
		fi
	fi
	# A link to it, or a copy of it, may be called otherwise; the modules themselves say whose they are.
	cp -r "$(cd "$modules" && pwd -P)" "$new/all"
	rm -f "$new/all/build" "$new/all/source"
	[ -n "$release" ] || release=$(basename "$(cd "$modules" && pwd -P)")
	"$here/modules.sh" "$new/all" "$release" "$new"
	one=$(find "$new/all" -name '*.ko' | head -n 1)
	theirs=$([ -z "$one" ] || tr '\0' '\n' <"$one" | sed -n 's/^vermagic=\([^ ]*\).*/\1/p' | head -n 1)
	[ -n "$theirs" ] || wrong "there is no module in $modules"
	[ "$theirs" = "$release" ] || wrong "$image is $release, and the modules in $modules are those of $theirs"
	rm -rf "$new/all"
fi
# Where sonde looks for it, if the kernel does not have it in itself.
if [ -n "$config" ] && [ -n "$release" ]; then
	mkdir -p "$new/lib/modules/$release"
	cp "$config" "$new/lib/modules/$release/config"
fi
echo "$machine" >"$new/machine"
echo "${release:-unknown}" >"$new/release"
echo "${made:-an image that was given${modules:+, with its modules}}" >"$new/made"
mkdir -p "$(dirname "$folder")"
rm -rf "$folder"
mv "$new" "$folder"
chmod 755 "$folder"
