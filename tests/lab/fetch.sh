#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fetch.sh kernel NAME: makes sure that this kernel of the table is in the cache, and prints its folder, which holds
#	vmlinuz			the kernel
#	release			what `uname -r` will say
#	lib/modules		the modules of tests/lab/modules and what they need, with modules.dep; the configuration
# fetch.sh userland ARCH: the same for what a guest of this machine runs: bin/busybox, static.
# fetch.sh sysroot ARCH: the same for what sonde is linked with beside the C library: include/ and lib/ with the
# libraries of tests/libraries.
# fetch.sh programs SUITE: other people's programs of a release, by the table programs, as scripts that run them here with
# the libraries of that release, which are in root/.
#
# All come from the distribution's packages. The package lists are private (in the cache), and made of the addresses
# this machine's own apt has: nothing on the machine changes. Only what is complete gets its place in the cache.
#
# Exit 77: it is unavailable here; the reason is the last line on stderr.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sonde-lab

skip() { echo "$*" >&2; exit 77; }
# row TABLE NAME: its columns.
row() {
	grep -E "^$2[[:space:]]" "$here/$1" || {
		echo "no row '$2' in tests/lab/$1; there are: $(awk '!/^(#|$)/ { print $1 }' "$here/$1" | xargs)" >&2
		exit 2
	}
}

# Where this machine gets its packages of a release: SONDE_LAB_ARCHIVE, or the archive apt has for another release.
archive() {
	if [ -n "${SONDE_LAB_ARCHIVE:-}" ]; then
		echo "deb $SONDE_LAB_ARCHIVE $suite main"
		return
	fi
	apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT) $(SIGNED_BY)' 'Created-By: Packages' |
	awk -v suite="$suite" '
		$1 != "Debian" || $4 != "main" || $3 ~ /-/ || done++ { next }
		{ key = $5 ~ /^\// ? "[signed-by=" $5 "] " : ""; print "deb " key $2 " " suite " main" }'
}

# apt TOOL ARGS...: one of apt's tools with lists of its own for $suite and $arch.
apt() {
	tool=$1
	shift
	"$tool" -o Dir::Etc::sourcelist="$lists/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::Lists="$lists/index" -o Dir::Cache="$lists/cache" -o Dir::State::status=/dev/null \
		-o APT::Sandbox::User=root -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
		-o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# The lists, fetched once a day for each release and machine.
update() {
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
		skip "no apt-get on this machine to fetch packages of $suite with"
	lists=$cache/lists/$suite-$arch
	mkdir -p "$lists/index/partial" "$lists/cache/archives/partial"
	# Another fetch.sh may want the same.
	exec 8>"$lists/lock"
	flock 8
	[ -z "$(find "$lists/fresh" -mtime -1 2>/dev/null)" ] || return 0
	archive >"$lists/sources.list"
	[ -s "$lists/sources.list" ] ||
		skip "apt knows no Debian archive here: set SONDE_LAB_ARCHIVE to the address of one"
	apt apt-get -qq update >"$lists/log" 2>&1 && ! grep -q '^[EW]:' "$lists/log" ||
		skip "can't fetch the package list of $suite for $arch: $(grep -m 1 '^[EW]:' "$lists/log")"
	: >"$lists/fresh"
}

# The package and those of its dependencies that hold a kernel: not every release has it all in linux-image-*.
closure() {
	echo "$1"
	apt apt-cache depends --important "$1" |
	awk '$1 == "Depends:" && $2 ~ /^linux-(image|binary|modules|base)-[0-9]/ { print $2 }' |
	while read -r p; do
		closure "$p"
	done
}

# download PACKAGE: it, and what it brings of a kernel, unpacked into $new/all.
download() {
	update
	unpack "$1" $(closure "$1" 2>>"$lists/log")
}

# unpack PACKAGE...: into $new/all; the first one is named in messages.
unpack() {
	packages=$(printf '%s\n' "$@" | sort -u)
	mkdir -p "$new/debs" "$new/all"
	# With stale lists a package may be gone from the archive: the next time they are fetched again.
	(cd "$new/debs" && apt apt-get -qq download $packages) >"$lists/log" 2>&1 || {
		rm -f "$lists/fresh"
		skip "can't fetch $1 of $suite for $arch: $(grep -m 1 '^[EW]:' "$lists/log")"
	}
	for deb in "$new"/debs/*.deb; do
		dpkg-deb -x "$deb" "$new/all" || skip "can't unpack $(basename "$deb")"
	done
	rm -rf "$new/debs"
}

kernel() {
	set -- $(row kernels "$1")
	suite=$2 package=$3 arch=$4
	download "$package"
	# Newer packages have all in /usr/lib/modules, the kernel too.
	[ -d "$new/all/lib/modules" ] || { mkdir -p "$new/all/lib" && ln -s ../usr/lib/modules "$new/all/lib/modules"; }
	release=$(ls "$new/all/lib/modules")
	image=$(ls "$new"/all/boot/vmlinu[xz]-* "$new/all/lib/modules/$release"/vmlinu[xz] 2>/dev/null | head -n 1)
	modules=$new/all/lib/modules/$release
	"$here/modules.sh" "$modules" "$release" "$new"
	# Where sonde looks for it: some of a kernel's features are known by it alone.
	for config in "$new/all/boot/config-$release" "$modules/config"; do
		[ ! -f "$config" ] || cp "$config" "$new/lib/modules/$release/config"
	done
	cp "$image" "$new/vmlinuz"
	echo "$release" >"$new/release"
}

userland() {
	set -- $(row machines "$1")
	suite=$3 arch=$1
	download busybox-static
	mkdir -p "$new/bin"
	cp "$(find "$new/all" -path '*/bin/busybox' -type f)" "$new/bin/busybox"
}

sysroot() {
	set -- $(row machines "$1")
	suite=$3 arch=$1
	mkdir -p "$new/include" "$new/lib"
	grep '^[a-z]' "$here/../libraries" | while read -r library headers package; do
		download "$package"
		for h in $(echo "$headers" | tr , ' '); do
			cp -r "$(find "$new/all/usr/include" -maxdepth 2 -name "$h")" "$new/include/"
		done
		cp "$(find "$new/all" -name "lib$library.a")" "$new/lib/"
	done
}

# Their loader is run, and told where their libraries are: what they start themselves has this machine's. The plugins of
# libtraceevent are for one version of it.
script() {
	cat <<-'SCRIPT'
	#!/bin/sh
	root=$(dirname "$0")/root
	libraries=$(echo "$root"/usr/lib/*-linux-gnu*)
	export TRACEEVENT_PLUGIN_DIR="$libraries/traceevent/plugins" PERF_EXEC_PATH="$root/usr/libexec/perf-core"
	exec "$libraries"/ld-linux*.so.? --library-path "$libraries" "$root/usr/bin/$(basename "$0")" "$@"
	SCRIPT
}
programs() {
	set -- $(row programs "$1")
	suite=$1 arch=$(dpkg --print-architecture)
	update
	needed=$(apt apt-get -s --no-install-recommends install $(echo "$2" | tr , ' ') 2>>"$lists/log" | awk '$1 == "Inst" { print $2 }')
	[ -n "$needed" ] || skip "apt knows no $2 in $suite: $(grep -m 1 '^[EW]:' "$lists/log")"
	unpack ${2%%,*} $needed $(echo "$3" | tr , ' ')
	mkdir -p "$new/root/usr"
	for part in bin include lib libexec; do
		[ ! -d "$new/all/usr/$part" ] || mv "$new/all/usr/$part" "$new/root/usr/"
	done
	for program in perf trace-cmd; do
		script >"$new/$program"
		chmod +x "$new/$program"
		"$new/$program" --version 2>&1 | grep 'version [0-9]' >&2 || skip "$program of $suite does not run here"
	done
}

case ${1:-} in
kernel | userland | sysroot | programs) [ $# = 2 ] ;;
*) false ;;
esac || { sed -n '/^# fetch.sh/,/^#$/p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 2; }

what=$1 name=$2
dir=$cache/$what/$name
mkdir -p "$cache/$what" || skip "can't write to $cache"
exec 9>"$cache/$what/$name.lock"
flock 9
# What was made of another row, with another list of modules or libraries, or by another form of this script, is made again.
case $what in kernel) table=kernels ;; programs) table=programs ;; *) table=machines ;; esac
made=$({ row $table "$name"; cat "$0" "$here/modules" "$here/modules.sh" "$here/../libraries"; } | cksum)
if [ "$(cat "$dir/made" 2>/dev/null)" != "$made" ]; then
	new=$cache/$what/$name.new
	rm -rf "$new"
	mkdir "$new"
	said=$(mktemp)
	trap 'rm -rf "$new" "$said"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	# In a condition of the shell's, set -e would be off within.
	set +e
	(set -e; "$what" "$name") >"$said" 2>&1
	status=$?
	set -e
	why=$(tail -n 1 "$said")
	[ $status = 0 ] || cat "$said" >&2
	case $status in
	0) ;;
	2 | 77) exit $status ;;
	*) skip "can't prepare $what $name: ${why:-status $status} ($(df -h "$cache" | awk 'END { print $4 }') of disk left)" ;;
	esac
	rm -rf "$new/all"
	echo "$made" >"$new/made"
	rm -rf "$dir"
	mv "$new" "$dir"
fi
echo "$dir"
