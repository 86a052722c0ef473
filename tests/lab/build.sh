#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# build.sh TREE FOLDER: builds a kernel of this Linux source tree, 3.10 or newer, for the lab, and puts it into FOLDER as
# own.sh does; the last part of FOLDER's name is what the lab calls it.
#
# Options before TREE: --machine ARCH: amd64 (unless told), i386 or arm64; --config FILE: more of its configuration, of
# what CONFIG_ lines say in tests/lab/config/all; a file there by its name alone (no-frame-pointer, modules, poor). It may
# be given several times.
#
# It is built in a Debian 11 of its own, whose compiler (gcc 10) is the newest that builds kernels of 2013 and the oldest
# that builds today's. That Debian is made once and kept in ~/.cache/sonde-lab. It needs root, and debootstrap the first time. The
# tree is copied, and stays as it is. What the copy is told, so that this compiler and its linker take an old tree:
#	relocations R_X86_64_PLT32, which newer assemblers write for calls, are those to R_X86_64_PC32 (4.18 and older)
#	compiler-gcc10.h is the newest that the tree has (4.1 and older have a file for each gcc)
#	ftrace_stub is weak, or the assembler makes jumps to it that the function tracer can't patch (4.1 and older)
#	a dialect of C, where the tree does not say one; no warnings; no loops that become calls of memset before it works
# The configuration that comes out is compared with what was wanted: a kernel drops silently what it can't have.
#
# Exit 77: it is unavailable here; the reason is the last line.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sonde-lab
suite=bullseye
usage() { sed -n '/^# build.sh/,/^set/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }
wrong() { echo "lab: $*" >&2; exit 2; }
skip() { echo "SKIP lab-kernel: $*"; exit 77; }

. "$here/../own_mounts.sh"

# Mounts below are this script's alone.
if [ "${1:-}" != --inside ]; then
	[ "$(id -u)" = 0 ] || skip "only root can make a Debian $suite to build in"
	mkdir -p "$cache/build" || exit 1
	dir=$(mktemp -d "$cache/build/XXXXXX") || exit 1
	own_mounts "$dir" "$@"
fi
dir=$2
shift 2

machine=amd64 forms=
while [ $# -gt 2 ]; do
	case $1 in
	--machine) machine=$2 ;;
	--config)
		case $2 in */*) file=$2 ;; *) file=$here/config/$2 ;; esac
		[ -f "$file" ] || wrong "no configuration $2; there are: $(ls "$here/config" | xargs)"
		forms="$forms $file"
		;;
	*) usage ;;
	esac
	shift 2
done
[ $# = 2 ] || usage
tree=$1 folder=$(realpath -m "$2") name=$(basename "$2")
[ -n "$tree" ] || skip "no source tree is given: TREE=/path/to/linux. Sources of old kernels and of vendors' are in public repositories"
version() { sed -n "s/^$1 *= *//p" "$tree/Makefile" 2>/dev/null | head -n 1; }
[ -n "$(version VERSION)" ] && [ -n "$(version PATCHLEVEL)" ] || wrong "$tree is no source tree of Linux: its Makefile says no VERSION"
title="$(version VERSION).$(version PATCHLEVEL).$(version SUBLEVEL)$(version EXTRAVERSION)"
flags="-fno-tree-loop-distribute-patterns -w"
case $machine in
amd64) arch=x86_64 image=arch/x86/boot/bzImage compiler=gcc prefix= ;;
i386) arch=i386 image=arch/x86/boot/bzImage compiler=gcc prefix= ;;
arm64) arch=arm64 image=arch/arm64/boot/Image compiler=gcc-aarch64-linux-gnu prefix=aarch64-linux-gnu- flags=-w ;;
*) wrong "no way is known here to build a kernel for $machine; there are: amd64, i386, arm64" ;;
esac
say() { echo "-- lab-kernel: $*"; }

# The Debian to build in; one at a time makes it.
debian=$cache/compiler/$suite
mkdir -p "$cache/compiler"
exec 9>"$debian.lock"
flock 9
if [ ! -f "$debian/made" ]; then
	say "making a Debian $suite with its compiler, in $debian"
	rm -rf --one-file-system "$debian"
	"$here/../debian.sh" $suite "$debian" gcc make bc bison flex cpio kmod perl ccache xz-utils libelf-dev libssl-dev \
		openssl python3-minimal 2>"$dir/why" || {
		cat "$dir/why" >&2
		skip "$(tail -n 1 "$dir/why")"
	}
	: >"$debian/made"
fi
mount --bind "$debian" "$debian" && mount -t proc proc "$debian/proc" && mkdir -p "$debian/build" "$cache/compiler/ccache" "$debian/ccache" &&
	mount --bind "$dir" "$debian/build" && mount --bind "$cache/compiler/ccache" "$debian/ccache" || exit 1
inside() { chroot "$debian" env -i HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin CCACHE_DIR=/ccache sh -c "cd /build/tree && $*"; }
if ! [ -x "$debian/usr/bin/${prefix}gcc" ]; then
	"$here/../debian.sh" $suite "$debian" && {
		[ -c "$debian/dev/null" ] || mknod -m 666 "$debian/dev/null" c 1 3
		chroot "$debian" sh -c "apt-get -qq update && apt-get -qq -y install --no-install-recommends $compiler libc6-dev" >"$dir/log" 2>&1
	} || skip "can't install $compiler in it: $(grep -m 1 '^[EW]:' "$dir/log")"
fi
exec 9>&-

say "$title: copying the tree"
mkdir "$dir/tree" && (cd "$tree" && tar -c --exclude=./.git .) | tar -x -C "$dir/tree" || exit 1
cd "$dir/tree" || exit 1
# What changed in a tree is no part of its release's name. What was built in it before is not used: a build in a folder of
# its own wants none of these. (`make mrproper` fails in trees from which something was taken away.)
touch .scmversion
rm -rf .config include/config include/generated arch/*/include/generated
for f in arch/x86/kernel/module.c arch/x86/tools/relocs.c; do
	[ ! -f $f ] || grep -q 'case R_X86_64_PLT32:' $f || sed -i 's/^\([[:space:]]*\)case R_X86_64_PC32:/\1case R_X86_64_PLT32:\n&/' $f
done
newest=$(ls include/linux/compiler-gcc[0-9]*.h 2>/dev/null | sort -V | tail -n 1)
[ -z "$newest" ] || [ -f include/linux/compiler-gcc10.h ] || cp "$newest" include/linux/compiler-gcc10.h
[ ! -f arch/x86/kernel/mcount_64.S ] || sed -i 's/^GLOBAL(ftrace_stub)/WEAK(ftrace_stub)/' arch/x86/kernel/mcount_64.S
grep -q 'std=gnu' Makefile || flags="-std=gnu89 $flags"
linker="${prefix}ld"
[ $arch != x86_64 ] || linker="$linker -z max-page-size=0x200000"
# The dtc of old trees has a variable twice. Debian's compilers make position independent code unless told: trees of before
# 4.9 ask the compiler for each option without telling it, it refuses all, and the kernel is another (no -mfentry).
make="make O=/build/out ARCH=$arch CROSS_COMPILE=$prefix CC='ccache ${prefix}gcc -fno-pie' LD='$linker' HOSTCFLAGS='-O2 -fcommon -w' KCFLAGS='$flags'"

# Later lines win.
for f in "$here/config/all" "$here/config/$machine" $forms; do
	cat "$f"
	echo
done >"$dir/wanted"
say "$title: configuring it"
mkdir "$dir/out"
inside "$make allnoconfig KCONFIG_ALLCONFIG=/build/wanted" >"$dir/log" 2>&1 || {
	tail -n 5 "$dir/log" >&2
	echo "FAIL lab-kernel: $title can't be configured"
	exit 1
}
# What the tree knows by these names, other machines' apart.
find . -name 'Kconfig*' ! -path './arch/*' -o -name 'Kconfig*' -path "./arch/$(case $arch in x86_64 | i386) echo x86 ;; *) echo $arch ;; esac)/*" |
	xargs sed -n 's/^[[:space:]]*\(menu\)\{0,1\}config[[:space:]]*\([A-Z0-9_]*\).*/\2/p' >"$dir/known"
awk -v known="$dir/known" -v config="$dir/out/.config" '
	BEGIN {
		while ((getline line <known) > 0)
			is_known[line] = 1
		while ((getline line <config) > 0)
			if (match(line, /^CONFIG_[A-Z0-9_]*=/))
				is[substr(line, 8, RLENGTH - 8)] = substr(line, RLENGTH + 1)
	}
	/^$/ { heading = 1; next }
	/^# CONFIG_/ { wanted[substr($2, 8)] = "n"; next }
	/^#/ { if (heading) group = substr($0, 3); heading = 0; next }
	/^CONFIG_/ {
		split(substr($0, 8), part, "=")
		if (!(part[1] in wanted))
			order[++n] = part[1]
		wanted[part[1]] = part[2]
		in_group[part[1]] = group
	}
	END {
		for (i = 1; i <= n; i++) {
			o = order[i]
			if (wanted[o] != "n" && !(o in is) && o in is_known)
				missing[in_group[o]] = missing[in_group[o]] " " o
		}
		for (g in missing)
			print g ":" missing[g]
	}' "$dir/wanted" >"$dir/missing"
while read -r line; do
	say "$title: not what was wanted: ${line#needed: }"
done <"$dir/missing"
if grep -q '^needed: ' "$dir/missing"; then
	echo "FAIL lab-kernel: $title can't be configured so that a guest begins: $(sed -n 's/^needed: //p' "$dir/missing")"
	exit 1
fi

say "$title: building it"
modules=$(grep -q '=m$' "$dir/out/.config" && echo "modules")
inside "$make -j$(nproc) $(basename $image) $modules && { [ -z '$modules' ] || $make modules_install INSTALL_MOD_PATH=/build/modules; }" >"$dir/log" 2>&1 </dev/null || {
	mkdir -p "$here/../../build/lab"
	cp "$dir/log" "$here/../../build/lab/$name.log"
	grep -E -m 3 'error:|undefined reference|No such file' "$dir/log" | sed 's/^/# /'
	echo "FAIL lab-kernel: $title can't be built (all it said: build/lab/$name.log)"
	exit 1
}
made="built from source $title, gcc $(inside "${prefix}gcc -dumpversion")$(for f in $forms; do printf ', %s' "$(basename "$f")"; done)"
"$here/own.sh" --machine $machine --made "$made" --config "$dir/out/.config" ${modules:+--modules "$dir/modules"} "$dir/out/$image" "$folder" || exit 1
say "$title is $folder"
