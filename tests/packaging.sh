#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# packaging.sh: what packagers and strangers rely on: what make does without being asked, install and uninstall, the same
# bytes from every folder, the .deb, a build with musl, and the recipes in packaging/. Prints verdicts for tests/run.sh.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
BUILD=${BUILD:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=0

# The options of the make that runs the tests count here too, but not its job server.
MAKEFLAGS=$(echo "${MAKEFLAGS:-}" | sed 's/ *--jobserver-[a-z]*=[^ ]*//g; s/ *-j[0-9]*//g')
export MAKEFLAGS
unset MAKELEVEL

pass() { echo "PASS packaging:$1"; }
fail() { echo "FAIL packaging:$1: $2"; failed=1; }
# Says the end of what the command said.
fails() { fail "$1" "$2: $(tail -n 3 "$tmp/log" | tr '\n' ' ')"; }
run() { "$@" >"$tmp/log" 2>&1; }
has() { command -v "$1" >/dev/null 2>&1; }

# LIBRARY PACKAGE, of each that sonde is linked with.
libraries() { awk '/^[a-z]/ { print $1, $3 }' tests/libraries; }

# Programs that install packages: called, they leave a trace. And a compiler that does not find the library $POOR.
mkdir "$tmp/fake"
for c in apt-get apt dnf apk pacman sudo; do
	printf '#!/bin/sh\necho "%s $*" >>"%s/installed"\nexit 1\n' $c "$tmp" >"$tmp/fake/$c"
done
cat >"$tmp/fake/poor-gcc" <<-'SH'
	#!/bin/sh
	case " $* " in *" -l$POOR "*) exit 1 ;; esac
	exec gcc "$@"
SH
chmod +x "$tmp"/fake/*

# All of this machine's programs but those that install.
mkdir "$tmp/path"
IFS=:
for dir in $PATH; do
	ln -s "$dir"/* "$tmp/path/" 2>/dev/null
done
unset IFS
rm -f "$tmp/path/apt-get" "$tmp/path/apt" "$tmp/path/dnf" "$tmp/path/apk" "$tmp/path/pacman" "$tmp/path/sudo"

# says_what_is_missing LIBRARY PACKAGE
says_what_is_missing() {
	export POOR=$1
	PATH="$tmp/fake:$PATH" run make CC=poor-gcc BUILD="$tmp/none" && fail missing-$1 "make succeeded without it"
	if ! grep -q "lib.*as root: apt-get install $2\$" "$tmp/log"; then
		fails missing-$1 "make does not say what is missing"
	elif [ -e "$tmp/installed" ]; then
		fail missing-$1 "make called $(cat "$tmp/installed")"
	else
		pass missing-$1
	fi
	PATH="$tmp/fake:$PATH" run make CC=poor-gcc BUILD="$tmp/none" deps && fail deps-$1 "make deps succeeded without it"
	if grep -q "apt-get .*install.* $2" "$tmp/installed" 2>/dev/null; then
		pass deps-$1
	else
		fails deps-$1 "make deps does not call apt-get"
	fi
	rm -f "$tmp/installed"
	unset POOR
}

# What packagers set, on the command line or in the environment, is in every command.
takes_flags() {
	set -- CC=its-cc CFLAGS=-Dits_cflags CPPFLAGS=-Dits_cppflags LDFLAGS=-Lits_ldflags
	for how in arguments environment; do
		if [ $how = arguments ]; then
			run make -n BUILD="$tmp/flags" all "$@"
		else
			run env "$@" make -n BUILD="$tmp/flags" all
		fi || { fails flags-$how "make -n"; continue; }
		wrong=$(awk '/^its-cc .* -c -o/ { compiled++; if (!/-Dits_cflags/ || !/-Dits_cppflags/ || /-Werror/) print }
			/^its-cc .*-lz/ { linked++; if (!/-Lits_ldflags/ || !/-static/) print }
			/^(cc|gcc) / { print }
			END { if (compiled < 100 || linked != 1) print compiled " compiled, " linked " linked" }' "$tmp/log")
		if [ -n "$wrong" ]; then
			fail flags-$how "$(echo "$wrong" | head -n 1)"
		else
			pass flags-$how
		fi
	done
}

# A folder that was built with other flags is built again, and one that was built with these is not.
anew() {
	compiled=
	for flags in -O1 -O1 -O0; do
		if ! run make BUILD="$tmp/anew" CFLAGS=$flags "$tmp/anew/compat/base/lines.o"; then
			fails anew "make CFLAGS=$flags"
			return
		fi
		compiled="$compiled $(grep -c '^  CC' "$tmp/log")"
	done
	if [ "$compiled" = " 1 0 1" ]; then
		pass anew
	else
		fail anew "compiled by turns:$compiled"
	fi
}

# A second clone, in a folder of another name, on a machine that has no package manager.
same_bytes() {
	copy="$tmp/a folder elsewhere/sonde"
	mkdir -p "$copy"
	tar -c --exclude=./build --exclude=./sonde --exclude=./.git . | tar -x -C "$copy"
	if ! PATH="$tmp/path" run make -C "$copy"; then
		fails clone "make, without a package manager"
		return
	fi
	pass clone
	if [ "$BUILD" != build ]; then
		echo "SKIP packaging:same-bytes: $BUILD is built with other flags"
	elif ! cmp sonde "$copy/sonde" >"$tmp/log" || ! cmp build/sonde "$copy/build/sonde" >"$tmp/log"; then
		fails same-bytes "two folders, two binaries"
	else
		pass same-bytes
	fi
}

# Of libbpf only the wrappers of bpf(2): its loader, and the readers of ELF and BTF that come with it, are 300 KB. Of libelf
# nothing that decompresses sections, which would bring zstd too; of zstd nothing but its decoder, where sonde is built with it. Of the C library no scanf(), which brings all that reads
# floating point: 130 KB with what calls it; and no regcomp(), 64 KB. Of libtraceevent nothing that loads plugins.
link_map() {
	if ! [ -e "$BUILD/sonde.map" ] || ! grep -q 'libbpf\.a(' "$BUILD/sonde.map"; then
		echo "SKIP packaging:link-map: $BUILD is linked with a shared libbpf"
		return
	fi
	parts=$(grep -oE '(lib(bpf|elf|zstd|traceevent)\.a|libc\.a)\([^)]*\)' "$BUILD/sonde.map" | sort -u)
	unwanted=$(echo "$parts" | grep -E '^(libbpf|libzstd|libtraceevent\.a\((event-plugin|parse-filter)|libelf\.a\(elf_(compress|strptr|update)|libc\.a\((.*scanf|regex|fnmatch))' |
		grep -vE '^libbpf\.a\(bpf\.o\)$|^libzstd\.a\((zstd_(decompress|ddict|common)|huf_decompress|fse_decompress|entropy_common|error_private|xxhash|zstd_v0)' | xargs -d '\n')
	if [ -n "$unwanted" ]; then
		fail link-map "linked, and not wanted: $unwanted"
	elif [ "$(echo "$parts" | grep -cxE 'libbpf\.a\(bpf\.o\)|libelf\.a\(elf_begin\.o\)|libtraceevent\.a\(event-parse\.o\)')" != 3 ]; then
		fail link-map "not linked: libbpf's wrappers, libelf or libtraceevent"
	else
		pass link-map
	fi
}

# Small enough to be copied anywhere: what else a change brings along is seen here. Other C libraries have other sizes.
small() {
	if [ "$BUILD" != build ] || ! grep -q 'libc\.a(' build/sonde.map 2>/dev/null ||
	   [ "$(uname -m) $(getconf GNU_LIBC_VERSION 2>/dev/null)" != "x86_64 glibc 2.36" ]; then
		echo "SKIP packaging:size: only of a static binary with Debian 12's C library, on x86_64"
		return
	fi
	size=$(wc -c <sonde)
	if [ "$size" -gt 3310000 ]; then
		fail size "$size bytes, and 3310000 are allowed: build/sonde.map says what is large"
	else
		pass size
	fi
}

# Texts that name a few tools say exactly how many more there are.
counted() {
	n=$(./sonde | sed '/^and$/q' | grep -c '^  ')
	for row in debian/control:9 buildroot/package/sonde/Config.in:5 openwrt/sonde/Makefile:5; do
		grep -qw "$((n - ${row#*:})) more" "packaging/${row%:*}" ||
			fail counted "packaging/${row%:*} names ${row#*:} tools, and there are $((n - ${row#*:})) more"
	done
	[ "$failed" != 0 ] || pass counted
}

# What only the start of a program writes to (GNU_RELRO) is read-only afterwards, before what may be written to. sonde waits
# for a script here.
protected() {
	if ! readelf -lW sonde 2>/dev/null | grep -q GNU_RELRO; then
		echo "SKIP packaging:relro: the linker made no such part, or there is no readelf here"
		return
	fi
	mkfifo "$tmp/script"
	./sonde bt "$tmp/script" >/dev/null 2>&1 &
	for try in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.2
		awk '$NF ~ /\/sonde$/ { print $2 }' "/proc/$!/maps" 2>/dev/null | tail -n 2 | xargs >"$tmp/maps"
		[ "$(cat "$tmp/maps")" != "r--p rw-p" ] || break
	done
	kill $! 2>/dev/null
	[ "$(cat "$tmp/maps")" = "r--p rw-p" ] && pass relro || fail relro "the last parts are $(cat "$tmp/maps")"
}

# Another machine's compiler is given its own libraries, once make deps has put them there.
cross() {
	cat >"$tmp/fake/its-linux-gnu-gcc" <<-'SH'
		#!/bin/sh
		lib=build/its-linux-gnu/sysroot/lib
		for word; do
			case $word in
			-L$lib) theirs=1 ;;
			-lbpf | -lz) [ -n "${theirs:-}" ] && [ -e "$lib/lib${word#-l}.a" ] || exit 1 ;;
			esac
		done
		exec gcc "$@"
	SH
	chmod +x "$tmp/fake/its-linux-gnu-gcc"
	set -- env -u BUILD make -C "$copy" CROSS_COMPILE=its-linux-gnu- build/its-linux-gnu/deps
	if PATH="$tmp/fake:$PATH" run "$@"; then
		fail cross "built for another machine without its libraries"
	elif ! grep -q '^Missing for its-linux-gnu-gcc: libbpf .*, zlib' "$tmp/log"; then
		fails cross "not said what is missing"
	else
		mkdir -p "$copy/build/its-linux-gnu/sysroot/lib" "$copy/build/its-linux-gnu/sysroot/include"
		for l in $(libraries | cut -d ' ' -f 1); do
			cp "$(gcc -print-file-name=lib$l.a)" "$copy/build/its-linux-gnu/sysroot/lib"
		done
		cp -r /usr/include/bpf /usr/include/zlib.h /usr/include/zconf.h "$copy/build/its-linux-gnu/sysroot/include"
		if PATH="$tmp/fake:$PATH" run "$@"; then
			pass cross
		else
			fails cross "they are there"
		fi
	fi
	rm -rf "$copy/build/its-linux-gnu"
}

tools() { awk -f src/run/registry.awk -v what=names src/tools/*.c; }

# installed NAME ROOT LINKS END: each file where it belongs, and the links lead to sonde.
installed() {
	for f in bin/sonde "share/man/man8/sonde.$4" \
			"share/man/man7/sonde-language.7$(case $4 in *.gz) echo .gz ;; esac)" \
			"share/man/man7/bt-tutorial.7$(case $4 in *.gz) echo .gz ;; esac)" share/bash-completion/completions/sonde \
			share/fish/vendor_completions.d/sonde.fish share/doc/sonde/examples/opensnoop_example.txt \
			../etc/sonde/export.conf share/doc/sonde/grafana/sonde.json share/doc/sonde/kubernetes/daemonset.yaml; do
		[ -s "$2/usr/$f" ] || { fail "$1" "usr/$f is missing"; return 1; }
	done
	for t in $(tools); do
		[ "$2$3/$t" -ef "$2/usr/bin/sonde" ] || { fail "$1" "$3/$t does not lead to sonde"; return 1; }
		case $(readlink "$2$3/$t") in /*) fail "$1" "$3/$t is not a relative link"; return 1 ;; esac
		[ -s "$2/usr/share/man/man8/$t.$4" ] || { fail "$1" "usr/share/man/man8/$t.$4 is missing"; return 1; }
	done
}

# nothing_in NAME DIR FIND'S TESTS...: says PASS if nothing there fits.
nothing_in() {
	name=$1
	shift
	left=$(find "$@" | tail -n 1)
	if [ -n "$left" ]; then
		fail "$name" "left behind: $left"
	else
		pass "$name"
	fi
}

installs() {
	run make install DESTDIR="$tmp/a root" PREFIX=/usr || { fails install "make install"; return; }
	if installed install "$tmp/a root" /usr/bin 8; then
		pass install
	fi
	run make uninstall DESTDIR="$tmp/a root" PREFIX=/usr || fails uninstall "make uninstall"
	nothing_in uninstall "$tmp/a root" -mindepth 1
}

# What others put there stays, whoever comes and goes.
installs_beside() {
	theirs="$tmp/local/bin/opensnoop $tmp/local/bin/execsnoop"
	mkdir -p "$tmp/local/bin"
	echo theirs >"$tmp/local/bin/opensnoop"
	ln -s elsewhere "$tmp/local/bin/execsnoop"
	run make install PREFIX="$tmp/local" || { fails beside "make install"; return; }
	said=$(grep -c "^left alone: $tmp/local/bin/\(open\|exec\)snoop " "$tmp/log")
	run make uninstall PREFIX="$tmp/local" || fails beside "make uninstall"
	if [ "$said" != 2 ]; then
		fails beside "not said that $theirs are others'"
	elif [ "$(cat "$tmp/local/bin/opensnoop")" != theirs ] || [ "$(readlink "$tmp/local/bin/execsnoop")" != elsewhere ]; then
		fail beside "$theirs are gone"
	else
		nothing_in beside "$tmp/local" ! -type d ! -name opensnoop ! -name execsnoop
	fi
}

debian() {
	if ! has dpkg-deb; then
		echo "SKIP packaging:deb: dpkg-deb is missing: not a Debian"
		return
	fi
	run make deb || { fails deb "make deb"; return; }
	deb=$(ls "$BUILD"/sonde_*.deb)
	cp "$deb" "$tmp/first.deb"
	run make deb
	if cmp "$deb" "$tmp/first.deb" >"$tmp/log"; then
		pass deb-same-bytes
	else
		fails deb-same-bytes "made twice"
	fi
	if ! has lintian; then
		echo "SKIP packaging:lintian: lintian is missing: make test-deps installs it"
	elif run lintian --fail-on error,warning --allow-root "$deb"; then
		pass lintian
	else
		fails lintian "$deb"
	fi
	if [ "$(id -u)" != 0 ]; then
		echo "SKIP packaging:deb: installing it needs root"
		return
	fi

	# Installed by dpkg where there is nothing else, not even a C library; then run there.
	mkdir -p "$tmp/debian/var/lib/dpkg/updates" "$tmp/debian/var/lib/dpkg/info"
	: >"$tmp/debian/var/lib/dpkg/status"
	run dpkg --root="$tmp/debian" --force-script-chrootless --install "$deb" || { fails deb "dpkg --install"; return; }
	installed deb "$tmp/debian" /usr/lib/sonde/bin 8sonde.gz || return
	# Commands of the tools' names are other packages'.
	others=$(cd "$tmp/debian/usr" && find bin sbin share/bash-completion share/fish ! -type d ! -name 'sonde*' 2>/dev/null)
	version=$(dpkg-deb -f "$deb" Version)
	said=$(chroot "$tmp/debian" /usr/bin/sonde --version 2>&1)
	if [ -n "$others" ]; then
		fail deb "clashes with other packages: $others"
	elif [ "$said" != "sonde $version" ]; then
		fail deb "sonde --version in a root without anything else: $said"
	elif ! run chroot "$tmp/debian" /usr/lib/sonde/bin/opensnoop --help; then
		fails deb "/usr/lib/sonde/bin/opensnoop --help"
	else
		pass deb
	fi
	run dpkg --root="$tmp/debian" --force-script-chrootless --purge sonde || fails deb-purge "dpkg --purge"
	nothing_in deb-purge "$tmp/debian" -mindepth 1 ! -path "$tmp/debian/var*"
}

# Debian's compiler for musl knows neither the kernel's headers nor libraries. What sonde takes of Debian's own, made for
# glibc, does with musl, but for some functions that glibc's headers put there, each a name of another.
prepare_musl() {
	mkdir -p "$tmp/musl/include"
	multiarch=$(gcc -print-multiarch)
	ln -s /usr/include/linux /usr/include/asm-generic "/usr/include/$multiarch/asm" /usr/include/bpf /usr/include/traceevent /usr/include/libelf.h /usr/include/gelf.h \
		/usr/include/zlib.h /usr/include/zconf.h "$tmp/musl/include/"
	cat >"$tmp/musl/chk.c" <<-'C'
		#include <fcntl.h>
		#include <stdarg.h>
		#include <stdio.h>
		#include <string.h>
		#include <sys/resource.h>
		#include <unistd.h>
		#undef lseek64
		#undef setrlimit64
		off_t lseek64(int fd, off_t offset, int whence)
		{
			return lseek(fd, offset, whence);
		}
		int setrlimit64(int resource, const struct rlimit *limit)
		{
			return setrlimit(resource, limit);
		}
		int fcntl64(int fd, int command, long arg)
		{
			return fcntl(fd, command, arg);
		}
		int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
		{
			va_list args;
			va_start(args, format);
			int n = vsprintf(to, format, args);
			va_end(args);
			return n;
		}
		int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
		{
			va_list args;
			va_start(args, format);
			int n = vsnprintf(to, size, format, args);
			va_end(args);
			return n;
		}
		int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args)
		{
			return vsnprintf(to, size, format, args);
		}
		int __vfprintf_chk(FILE *to, int flag, const char *format, va_list args)
		{
			return vfprintf(to, format, args);
		}
		int __fprintf_chk(FILE *to, int flag, const char *format, ...)
		{
			va_list args;
			va_start(args, format);
			int n = vfprintf(to, format, args);
			va_end(args);
			return n;
		}
		int __printf_chk(int flag, const char *format, ...)
		{
			va_list args;
			va_start(args, format);
			int n = vprintf(format, args);
			va_end(args);
			return n;
		}
		int __asprintf_chk(char **to, int flag, const char *format, ...)
		{
			va_list args;
			va_start(args, format);
			int n = vasprintf(to, format, args);
			va_end(args);
			return n;
		}
		void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
		{
			return memcpy(to, from, n);
		}
	C
	(cd "$tmp/musl" && musl-gcc -w -D_GNU_SOURCE -c chk.c "$root/tests/isoc23.c") || return
	for l in $(libraries | cut -d ' ' -f 1); do
		cp "$(gcc -print-file-name=lib$l.a)" "$tmp/musl" && ar rs "$tmp/musl/lib$l.a" "$tmp/musl/chk.o" "$tmp/musl/isoc23.o" || return
	done
}

# Alpine's recipe, as abuild runs it, with musl.
alpine() {
	if ! has musl-gcc; then
		echo "SKIP packaging:alpine: musl-gcc is missing: make test-deps installs it"
		return
	fi
	run prepare_musl || { fails alpine "libraries for musl"; return; }
	mkdir "$tmp/apk"
	cat >"$tmp/abuild" <<-'SH'
		set -eu
		startdir=$1/packaging/alpine srcdir=$2/apk/src pkgbasedir=$2/apk/pkg
		pkgdir=$pkgbasedir/sonde
		export CC=musl-gcc CFLAGS=-O0 CPPFLAGS="-idirafter $2/musl/include" LDFLAGS="-L$2/musl"
		cd "$startdir"
		. ./APKBUILD
		mkdir -p "$srcdir"
		build
		package
		# As abuild does it: moves to the package that is split off.
		amove() { mkdir -p "$subpkgdir/$(dirname "$1")" && mv "$pkgdir/$1" "$subpkgdir/$1"; }
		subpkgdir=$pkgbasedir/sonde-links
		links
	SH
	run sh "$tmp/abuild" "$root" "$tmp" || { fails alpine "APKBUILD"; return; }
	sonde=$tmp/apk/pkg/sonde/usr/bin/sonde
	if [ "$(ls "$tmp/apk/pkg/sonde/usr/bin")" != sonde ] || [ ! -L "$tmp/apk/pkg/sonde-links/usr/bin/opensnoop" ]; then
		fail alpine "commands are in the wrong packages: $(ls "$tmp/apk/pkg/sonde/usr/bin" | xargs)"
	elif ! run "$sonde" --version || ! run "$sonde" features; then
		fails alpine "sonde features, with musl"
	elif [ "$(id -u)" = 0 ] && ! run "$sonde" opensnoop --duration 1; then
		fails alpine "sonde opensnoop, with musl"
	else
		pass alpine
	fi
}

# JSON with an object a line, so that the one that differs is seen; without the files that are probed, which are those of
# the processes that run just then.
one_a_line() { sed 's/}, /},\n/g' | sed 's/"hooks": \[[^]]*\]//'; }

# What differs between the C libraries is the same on the screen, but for the texts of errors, which are theirs.
musl_is_the_same() {
	sonde=$tmp/apk/pkg/sonde/usr/bin/sonde
	[ -x "$sonde" ] || { echo "SKIP packaging:musl: not built"; return; }
	for args in "--help" "opensnoop --help" "syscount -l" "syscount -e EWHAT" "features --json"; do
		"$SONDE" $args 2>&1 | one_a_line >"$tmp/glibc.said"
		"$sonde" $args 2>&1 | sed 's/"Not supported"/"Operation not supported"/' | one_a_line >"$tmp/musl.said"
		cmp -s "$tmp/glibc.said" "$tmp/musl.said" || { fail musl "sonde $args: $(diff "$tmp/glibc.said" "$tmp/musl.said" | grep '^[<>]' | cut -c 1-300)"; return; }
	done
	pass musl
}

# Buildroot's recipe with as much of Buildroot as it asks for: glibc, and shared libraries.
buildroot() {
	mkdir -p "$tmp/buildroot/sonde" "$tmp/buildroot/target"
	cp -a "$copy/." "$tmp/buildroot/sonde"
	rm "$tmp/buildroot/sonde/sonde" "$tmp/buildroot/sonde/build/sonde"
	cat >"$tmp/buildroot/Makefile" <<-'MAKE'
		BR2_EXTERNAL_SONDE_PATH := $(ROOT)/packaging/buildroot
		BR2_PACKAGE_SONDE_LINKS := y
		TARGET_CONFIGURE_OPTS := CC=gcc STRIP=strip CFLAGS=-Os CPPFLAGS=-D_LARGEFILE_SOURCE LDFLAGS=
		TARGET_MAKE_ENV := LC_ALL=C
		TARGET_DIR := $(CURDIR)/target
		.RECIPEPREFIX := >
		sonde/.stamp_target_installed:
		>$(SONDE_BUILD_CMDS)
		>$(SONDE_INSTALL_TARGET_CMDS)
		include $(BR2_EXTERNAL_SONDE_PATH)/external.mk
	MAKE
	run make -j"$(nproc)" -C "$tmp/buildroot" ROOT="$root" || { fails buildroot "sonde.mk"; return; }
	installed buildroot "$tmp/buildroot/target" /usr/bin 8 || return
	if ! run "$tmp/buildroot/target/usr/bin/opensnoop" --help || ! ldd "$tmp/buildroot/target/usr/bin/sonde" | grep -q libbpf ||
			! ldd "$tmp/buildroot/target/usr/bin/sonde" | grep -q libz; then
		fails buildroot "sonde with shared libraries"
	elif ! (sed -n 's/^sha256 *//p' packaging/buildroot/package/sonde/sonde.hash | sha256sum -c >"$tmp/log" 2>&1); then
		fails buildroot "sonde.hash"
	else
		pass buildroot
	fi
}

# OpenWrt's, in the same way. What is built is there already.
openwrt() {
	mkdir -p "$tmp/openwrt/build/sonde" "$tmp/openwrt/target"
	cp -a "$copy/build" "$copy/sonde" "$tmp/openwrt/build/sonde"
	cat >"$tmp/openwrt/rules.mk" <<-'MAKE'
		TARGET_CC := gcc
		TARGET_CFLAGS := -Os
		CP := cp -fpR
		INSTALL_DIR := install -d -m0755
		INSTALL_BIN := install -m0755
		INSTALL_CONF := install -m0600
		PKG_BUILD_DIR := $(TOPDIR)/build/sonde
	MAKE
	cat >"$tmp/openwrt/package.mk" <<-'MAKE'
		.RECIPEPREFIX := >
		define BuildPackage
		all:
		>$$(Build/Prepare)
		>$$(Build/Configure)
		>$$(Build/Compile)
		>$$(call Package/$(1)/install,$(TOPDIR)/target)
		endef
	MAKE
	run make -j"$(nproc)" -C packaging/openwrt/sonde TOPDIR="$tmp/openwrt" INCLUDE_DIR="$tmp/openwrt" || { fails openwrt "Makefile"; return; }
	if ! run "$tmp/openwrt/target/usr/bin/sonde" --version; then
		fails openwrt "sonde --version"
	elif ! [ -x "$tmp/openwrt/target/etc/init.d/sonde-export" ] || ! [ -s "$tmp/openwrt/target/etc/sonde/export.conf" ]; then
		fail openwrt "the exporter's script or file is missing"
	else
		pass openwrt
	fi
}

# What starts the exporter: each names the places where its packaging puts things, shells can read it, and its file's
# tools are the same everywhere.
exporters() {
	run make install DESTDIR="$tmp/units" PREFIX=/usr/local sysconfdir=/opt/etc || { fails exporters "make install"; return; }
	unit=$tmp/units/usr/local/lib/systemd/system/sonde-export.service
	sed '/^#/d; /^$/d' packaging/sonde.conf >"$tmp/wanted"
	sed -n '/export.conf: |/,/^---/{/^    [a-z]/s/^    //p;}' packaging/kubernetes/daemonset.yaml >"$tmp/got"
	if ! grep -qx 'ExecStart=/usr/local/bin/sonde export -f /opt/etc/sonde/export.conf' "$unit"; then
		fail exporters "the unit starts $(grep ExecStart "$unit")"
	elif ! cmp -s "$tmp/wanted" "$tmp/got"; then
		fail exporters "daemonset.yaml has other tools than sonde.conf: $(diff "$tmp/wanted" "$tmp/got" | grep '^[<>]' | xargs)"
	elif ! run sh -n packaging/openrc/sonde-export || ! run sh -n packaging/openwrt/sonde/sonde-export.init; then
		fails exporters "a script of an init"
	else
		pass exporters
	fi
	echo opensnoop >"$tmp/units/opt/etc/sonde/export.conf"
	run make install DESTDIR="$tmp/units" PREFIX=/usr/local sysconfdir=/opt/etc
	run make uninstall DESTDIR="$tmp/units" PREFIX=/usr/local sysconfdir=/opt/etc
	if [ "$(cat "$tmp/units/opt/etc/sonde/export.conf")" != opensnoop ]; then
		fail exporters-file "the user's file is not the user's any more"
	else
		rm "$tmp/units/opt/etc/sonde/export.conf"
		nothing_in exporters-file "$tmp/units" ! -type d
	fi
}

# One version everywhere.
versions() {
	version=$(sed -n 's/^VERSION := //p' Makefile)
	wrong=$(grep -EH '^(SONDE_VERSION = |PKG_VERSION:=|pkgver=)' packaging/buildroot/package/sonde/sonde.mk packaging/openwrt/sonde/Makefile \
		packaging/alpine/APKBUILD | grep -v "[=:] *$version\$")
	if [ -n "$wrong" ]; then
		fail versions "not $version: $wrong"
	else
		pass versions
	fi
}

# A function of sonde's that is named as one of the C library takes its place in a static binary, also where the library
# itself or another file means the library's.
own_names() {
	library=$(${CC:-gcc} -print-file-name=libc.a)
	if ! [ -f "$library" ]; then
		echo "SKIP packaging:own-names: ${CC:-gcc} has no libc.a"
		return
	fi
	# names FILES...: the functions and variables that others see.
	names() { nm -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u; }
	names $(find "$BUILD/src" "$BUILD/compat" "$BUILD/backends" "$BUILD/insns" -name '*.o') >"$tmp/own"
	names "$library" >"$tmp/library"
	both=$(comm -12 "$tmp/own" "$tmp/library" | xargs)
	if ! grep -qx session_main "$tmp/own" || ! grep -qx printf "$tmp/library"; then
		fail own-names "nm does not tell names"
	elif [ -n "$both" ]; then
		fail own-names "sonde's $both hides the C library's"
	else
		pass own-names
	fi
}

# What docs/kernels.md says of kernels can be read back: else a run of some of them would change what it says of others.
kernels() {
	aside='/^<!-- own -->$/,/^<!-- end of own -->$/d; /^<!-- kinds -->$/,/^<!-- end of kinds -->$/d'
	sed "$aside" docs/kernels.md >"$tmp/said"
	sed -n '/^<!-- own -->$/,/^<!-- end of own -->$/{/^<!--/d;p;}' docs/kernels.md >"$tmp/own"
	if ! run sh tests/lab/matrix.sh --kept docs/kernels.md "$tmp"; then
		fails kernels "can't be read back"
	elif ! sed "$aside" "$tmp/log" | cmp -s - "$tmp/said"; then
		fail kernels "docs/kernels.md is read back with other lines"
	elif run sh tests/lab/matrix.sh --own --kept-own docs/kernels.md "$tmp" && cmp -s "$tmp/log" "$tmp/own"; then
		pass kernels
	else
		fail kernels "docs/kernels.md is read back with other lines about images of one's own"
	fi
}

# The cell of a tool that only lists, of what the self-test said, and without it of what its live test did.
listed() {
	for name in 5.10-amd64 6.1-amd64; do
		mkdir -p "$tmp/said-by/$name"
		said=$([ $name = 6.1-amd64 ] && echo ok || echo "no check")
		printf '{"tool":"%s","backend":%s,"verdict":"%s","why":null}\n' bpflist null "$said" opensnoop '"bpf"' ok \
			tplist null "no check" >"$tmp/said-by/$name/selftest.json"
	done
	printf 'SKIP lab:5.10-amd64:bpflist:bpf: no BPF here\nPASS lab:5.10-amd64:tplist:ends\nFAIL lab:5.10-amd64:tplist:rows: 1\n' \
		>"$tmp/said-by/5.10-amd64/verdicts"
	printf 'PASS lab:6.1-amd64:tplist:ends\n' >"$tmp/said-by/6.1-amd64/verdicts"
	printf '| bpflist | – | ✓ |\n| opensnoop | ✓ · · | ✓ · · |\n| tplist | ✗ | ✓ |\n' >"$tmp/wanted"
	printf '| bpflist | - | no BPF here | 5.10-amd64 |\n| tplist | - | a live test failed | 5.10-amd64 |\n' >>"$tmp/wanted"
	run sh tests/lab/matrix.sh "$tmp/said-by" 5.10-amd64 6.1-amd64
	cp "$tmp/log" "$tmp/document"
	grep -E '^[|] (bpflist|opensnoop|tplist) ' "$tmp/document" >"$tmp/got"
	run sh tests/lab/matrix.sh --kept "$tmp/document" "$tmp"
	if ! cmp -s "$tmp/wanted" "$tmp/got"; then
		fail kernels-listed "$(xargs -d '\n' <"$tmp/got")"
	elif ! cmp -s "$tmp/log" "$tmp/document"; then
		fail kernels-listed "the document is read back with other lines"
	else
		pass kernels-listed
	fi
}

SONDE=${SONDE:-$root/sonde}
libraries >"$tmp/libraries"
while read -r library package; do
	says_what_is_missing "$library" "$package"
done <"$tmp/libraries"
takes_flags
anew
link_map
own_names
kernels
listed
small
counted
protected
same_bytes
cross
installs
installs_beside
debian
alpine
musl_is_the_same
buildroot
openwrt
exporters
versions
[ "$failed" = 0 ]
