#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# deps.sh [check] build|test|lab|bench|cross: installs what is needed for it and missing; check: says it only. What is missing is found by trying, not by
# asking the package manager: quick when all is there, and right where things were installed in another way. Only
# apt-get is run by itself; elsewhere the packages are named.
set -u
check=
[ "${1:-}" != check ] || { check=1; shift; }
what=${1:-build}
CC=${CC:-gcc}
here=$(dirname "$0")
. "$here/peers.sh"
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT

# links TEXT LIBRARIES...: a program with these lines compiles and links.
links() {
	echo "$1" >"$try/main.c"
	shift
	$CC ${FLAGS:-} -o "$try/main" "$try/main.c" "$@" 2>"$try/log"
}
[ "${STATIC:-1}" = 1 ] && static=-static || static=
# program LIBRARY: one that shows that a row of tests/libraries is there, and new enough.
program() {
	case $1 in
	bpf) cat <<-'C' ;;
		#include <bpf/bpf.h>
		#include <bpf/libbpf_version.h>
		#if LIBBPF_MAJOR_VERSION < 1
		#error its wrappers return something else
		#endif
		int main(void) { return bpf_map_create(BPF_MAP_TYPE_HASH, 0, 4, 4, 1, 0) < 0; }
	C
	elf) cat <<-'C' ;;
		#include <gelf.h>
		int main(void) { return elf_version(EV_CURRENT) == EV_NONE; }
	C
	z) cat <<-'C' ;;
		#include <zlib.h>
		int main(void) { return zlibVersion() == 0; }
	C
	traceevent) cat <<-'C' ;;
		#include <traceevent/event-parse.h>
		int main(void)
		{
			struct tep_handle *tep = tep_alloc();
			tep_free(tep);
			return TEP_FIELD_IS_RELATIVE == 0;
		}
	C
	# Its header is in another place in each distribution. The second is of binutils 2.32.
	iberty) cat <<-'C' ;;
		#include <stddef.h>
		typedef void piece_fn(const char *, size_t, void *);
		int cplus_demangle_v3_callback(const char *, int, piece_fn *, void *);
		int rust_demangle_callback(const char *, int, piece_fn *, void *);
		static void piece(const char *text, size_t n, void *arg) { (void)text; (void)n; (void)arg; }
		int main(void)
		{
			return !cplus_demangle_v3_callback("_Z1fv", 0, piece, NULL) +
				!rust_demangle_callback("_RNvC1a1f", 0, piece, NULL);
		}
	C
	esac
}
missing_libraries() {
	for l in $(awk '/^[a-z]/ { print $1 }' "$here/libraries"); do
		links "$(program $l)" $static "$here"/../compat/base/lib*_weak.c \
			"$here"/../src/language/event_text/lib*_weak.c -l$l || echo $l
	done
}
zstd='#include <zstd.h>
int main(void) { return ZSTD_versionNumber() == 0; }'
has() { command -v "$1" >/dev/null 2>&1; }

# Prints one word for each thing that is missing.
missing_build() {
	links 'int main(void) { return 0; }' $static || echo compiler
	missing_libraries
	[ "${ZSTD:-0}" != 1 ] || links "$zstd" $static -lzstd || echo libzstd
	has awk || echo awk
}

# For $ARCH, or with the compiler $CC for a machine nobody named. Its libraries are put into $SYSROOT.
missing_cross() {
	links 'int main(void) { return 0; }' $static || { echo cross; return; }
	libraries=$(missing_libraries)
	[ -n "$libraries" ] || return
	[ -z "$check" ] || { echo $libraries; return; }
	arch=${ARCH:-$(awk -v cross="${CC%gcc}" '$2 == cross { print $1 }' "$here/lab/machines")}
	sysroot=$("$here/lab/fetch.sh" sysroot "$arch" 2>"$try/log") || { tail -n 1 "$try/log" >&2; echo $libraries; return; }
	mkdir -p "$SYSROOT" && cp -r "$sysroot/include" "$sysroot/lib" "$SYSROOT/"
	# They may be of a later release than the compiler's C library.
	links 'long __isoc23_strtol(const char *, char **, int); int main(void) { return __isoc23_strtol("0", 0, 10); }' $static ||
		{ $CC -O2 -c -o "$try/isoc23.o" "$here/isoc23.c" && ${CC%gcc}ar r "$SYSROOT/lib/libtraceevent.a" "$try/isoc23.o"; } >"$try/log" 2>&1
	missing_libraries
}

missing_test() {
	links '#include <check.h>
	int main(void) { return 0; }' -lcheck || echo check
	# A sonde with it is tested, too.
	links "$zstd" $static -lzstd || echo libzstd
	sh "$here/cc32.sh" native -static -o "$try/main" -x c - 2>/dev/null <<-'C' || echo cc32
	int main(void) { return 0; }
	C
	# fetch.sh unpacks modules, which are .xz or .zst by release; a bare system has no ip and no mke2fs.
	for c in cpio losetup xz zstd setsid flock modprobe ip mke2fs; do
		has $c || echo $c
	done
	has busybox && ! ldd "$(command -v busybox)" >/dev/null 2>&1 || echo busybox
	has "qemu-system-$(uname -m)" || echo qemu
	has musl-gcc || has apk || echo musl-gcc
	! has dpkg-deb || has lintian || echo lintian
	# They record probes that stay.
	for c in perf trace-cmd; do
		has $c || echo $c
	done
	missing_peers
}

# Other people's tools, to compare with.
missing_peers() {
	has bpftrace || echo bpftrace
	libbpf_tool execsnoop >"$try/log" || echo libbpf-tools
	# A strict reader of metrics, for the distribution's own Python.
	for p in /usr/bin/python3 python3; do
		"$p" -c 'import prometheus_client' 2>"$try/log" && return
	done
	echo prometheus_client
}

# The emulator of the machine $MACHINE, or all; the compilers for other machines are installed by their own builds.
missing_lab() {
	awk -v m="${MACHINE:-}" '!/^(#|$)/ && (m == "" || $1 == m) { print $4 }' "$here/lab/machines" | sort -u | while read -r q; do
		has "$q" || echo "$q"
	done
	for c in mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.f2fs; do
		has $c || echo $c
	done
}

missing_bench() {
	for l in bpf elf; do
		[ -e "$($CC -print-file-name=lib$l.a 2>/dev/null)" ] || echo $l
	done
	for c in bpftool clang losetup; do
		has $c || echo $c
	done
	missing_peers
}

# Packages by what is missing: word, then apt, dnf, apk and pacman names; a comma joins several, - is none.
packages() {
	cat <<-'TABLE'
	compiler      gcc,libc6-dev          gcc,glibc-static               gcc,musl-dev,linux-headers  gcc
	bpf           libbpf-dev             libbpf-devel,libbpf-static     libbpf-dev                  libbpf
	elf           libelf-dev             elfutils-libelf-devel-static   elfutils-dev,libelf-static  libelf
	z             zlib1g-dev             zlib-ng-compat-static          zlib-dev,zlib-static        zlib
	traceevent    libtraceevent-dev      libtraceevent-devel            libtraceevent-dev,libtraceevent-static  libtraceevent
	iberty        libiberty-dev          binutils-devel                 binutils-dev                binutils
	awk           mawk                   gawk                           gawk                        gawk
	cross         @cross                 -                              -                           -
	check         check                  check-devel                    check-dev                   check
	cc32          @cc32                  -                              -                           -
	cpio          cpio                   cpio                           cpio                        cpio
	losetup       util-linux,mount       util-linux                     losetup                     util-linux
	musl-gcc      musl-tools             musl-gcc                       -                           musl
	lintian       lintian                -                              -                           -
	perf          linux-perf             perf                       perf                     perf
	trace-cmd     trace-cmd              trace-cmd                  trace-cmd                trace-cmd
	busybox       busybox-static         busybox                        busybox-static              busybox
	qemu          @qemu                  qemu-system-x86-core           qemu-system-x86_64          qemu-system-x86
	qemu-system-x86_64   qemu-system-x86   qemu-system-x86-core     qemu-system-x86_64       qemu-system-x86
	qemu-system-aarch64  qemu-system-arm   qemu-system-aarch64-core qemu-system-aarch64      qemu-system-aarch64
	qemu-system-arm      qemu-system-arm   qemu-system-arm-core     qemu-system-arm          qemu-system-arm
	qemu-system-riscv64  qemu-system-misc  qemu-system-riscv-core   qemu-system-riscv64      qemu-system-riscv
	qemu-system-ppc64    qemu-system-ppc   qemu-system-ppc-core     qemu-system-ppc64        qemu-system-ppc
	qemu-system-s390x    qemu-system-misc  qemu-system-s390x-core   qemu-system-s390x        qemu-system-s390x
	xz            xz-utils               xz                         xz                       xz
	zstd          zstd                   zstd                       zstd                     zstd
	libzstd       libzstd-dev            libzstd-static                 zstd-dev,zstd-static        zstd
	modprobe      kmod                   kmod                       kmod                     kmod
	ip            iproute2               iproute                    iproute2                 iproute2
	mke2fs        e2fsprogs              e2fsprogs                  e2fsprogs                e2fsprogs
	setsid        util-linux             util-linux                 setsid                   util-linux
	flock         util-linux             util-linux                 util-linux               util-linux
	mkfs.ext4     e2fsprogs              e2fsprogs                      e2fsprogs                   e2fsprogs
	mkfs.xfs      xfsprogs               xfsprogs                       xfsprogs                    xfsprogs
	mkfs.btrfs    btrfs-progs            btrfs-progs                    btrfs-progs                 btrfs-progs
	mkfs.f2fs     f2fs-tools             f2fs-tools                     f2fs-tools                  f2fs-tools
	bpftrace      bpftrace               bpftrace                       bpftrace                    bpftrace
	bpftool       bpftool                bpftool                        bpftool                     bpf
	clang         clang                  clang                          clang                       clang
	libbpf-tools  libbpf-tools           libbpf-tools                   bcc-tools                   libbpf-tools
	prometheus_client  python3-prometheus-client  python3-prometheus_client  py3-prometheus-client  python-prometheus_client
	TABLE
}

# names COLUMN WORDS...: the packages for these words, one line.
names() {
	column=$1
	shift
	case $(uname -m) in
	aarch64) cc32=gcc-arm-linux-gnueabihf,libc6-dev-armhf-cross qemu=qemu-system-arm ;;
	*) cc32=gcc-i686-linux-gnu,libc6-dev-i386-cross qemu=qemu-system-x86 ;;
	esac
	# The C library for another machine is a package of that machine's name (arm64), the compiler one of the GNU name.
	triple=${CC%-gcc}
	cross=gcc-$(echo "$triple" | tr _ -),libc6-dev-${ARCH:-*}-cross
	for w in "$@"; do
		packages | awk -v word="$w" -v c="$column" '$1 == word { print $c }'
	done | sed "s|@cc32|$cc32|; s|@qemu|$qemu|; s|@cross|$cross|; /^-$/d" | tr ',' '\n' | sort -u | xargs
}

# Tests skip, and say so, what this machine can't have; but without these there is nothing to do.
leave() {
	case "$what: $missing " in
	"build: "* | "cross: "* | "test: "*"check "*) exit 1 ;;
	esac
	exit 0
}

missing=$("missing_$what" | sort -u | xargs)
[ -n "$missing" ] || exit 0

# What these words stand for, and the command that installs them here.
said() {
	for w in "$@"; do
		case $w in
		compiler) echo "a C compiler that links ${static:+static }programs ($CC does not)" ;;
		cross) echo "a compiler for it ($CC)" ;;
		bpf) echo "libbpf 1.0 or later${static:+ as a static library}" ;;
		z) echo "zlib${static:+ as a static library}" ;;
		iberty) echo "libiberty, of binutils 2.32 or later, as a static library" ;;
		elf | traceevent) echo "lib$w${static:+ as a static library}" ;;
		*) echo "$w" ;;
		esac
	done | paste -sd, | sed 's/,/, /g'
}
how() {
	if has apt-get; then
		echo "as root: apt-get install $(names 2 "$@")"
	elif has dnf; then
		echo "as root: dnf install $(names 3 "$@")"
	elif has apk; then
		echo "as root: apk add $(names 4 "$@")"
	elif has pacman; then
		echo "as root: pacman -S $(names 5 "$@")"
	else
		echo "install these, with static libraries, in this system's way: $(names 2 "$@") (Debian's names)"
	fi
}

if [ "$what" = cross ] && { [ -z "${ARCH:-}" ] || [ "$missing" != cross ]; }; then
	echo "Missing for $CC: $(said $missing)." >&2
	if [ -n "${ARCH:-}" ] && [ -n "$check" ]; then
		echo "\`make ARCH=$ARCH deps\` fetches it from Debian." >&2
	else
		echo "Install it (on Debian, \`make ARCH=NAME deps\` does it for the machines of tests/lab/machines)." >&2
	fi
	exit 1
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
# Who may not install is told what root would.
if [ -n "$check" ] || ! has apt-get || { [ -n "$sudo" ] && ! has sudo; }; then
	echo "Missing: $(said $missing); $(how $missing)" >&2
	[ -z "$check" ] || ! has apt-get || echo "\`make${ARCH:+ ARCH=$ARCH} deps\` does it." >&2
	leave
fi

list=$(names 2 $missing)
echo "Installing for $what: $list"
install() { DEBIAN_FRONTEND=noninteractive $sudo apt-get -qq -y install --no-install-recommends "$@" >"$try/log" 2>&1; }

# A machine's lists may be empty or old: fetch them only if it does not work without.
if ! install $list; then
	$sudo apt-get -qq update >"$try/update" 2>&1
	if ! install $list; then
		# One that is unavailable must not take the others with it.
		for p in $list; do
			install "$p" || echo "can't install $p: $(tail -n 1 "$try/log")" >&2
		done
	fi
fi
missing=$("missing_$what" | sort -u | xargs)
[ -n "$missing" ] || exit 0
echo "Still missing for $what: $(said $missing); $(how $missing)" >&2
leave
