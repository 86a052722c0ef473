#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fetch.sh NAME: makes sure that the kernel NAME of the table is in the cache, and prints its folder:
#
#	NAME/*.deb		the packages as they came
#	NAME/image/vmlinuz	the kernel
#	NAME/image/lib/modules	the modules of tests/lab/modules and what they need, with modules.dep
#
# The package lists are private (in the cache), and made of the addresses this machine's own apt has: nothing on the
# machine changes. Exit 77: this kernel can't be had here; the reason is on stderr.
set -eu
here=$(dirname "$0")
name=$1
dir=${XDG_CACHE_HOME:-$HOME/.cache}/sonde-lab/$name

skip() { echo "$*" >&2; exit 77; }

row=$(grep -E "^$name[[:space:]]" "$here/kernels") || {
	echo "no kernel '$name'; there are: $(awk '!/^(#|$)/ { print $1 }' "$here/kernels" | xargs)" >&2
	exit 2
}
set -- $row
suite=$2 package=$3 arch=$4

# Where this machine gets its packages of the release: SONDE_LAB_ARCHIVE, or the archive apt has for another release.
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

apt() {
	tool=$1
	shift
	"$tool" -o Dir::Etc::sourcelist="$dir/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::Lists="$dir/apt/lists" -o Dir::Cache="$dir/apt" -o APT::Sandbox::User=root \
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Acquire::Languages=none "$@"
}

# The package and those of its dependencies that hold a kernel: not every release has it all in linux-image-*.
closure() {
	echo "$1"
	apt apt-cache depends --important "$1" |
	awk '$1 == "Depends:" && $2 ~ /^linux-(image|binary|modules)-[0-9]/ { print $2 }' |
	while read -r p; do
		closure "$p"
	done
}

download() {
	command -v apt-get >/dev/null || skip "no apt-get on this machine to fetch $package of $suite with"
	mkdir -p "$dir/apt/lists/partial" "$dir/apt/archives/partial"
	archive >"$dir/apt/sources.list"
	[ -s "$dir/apt/sources.list" ] ||
		skip "apt knows no Debian archive here: set SONDE_LAB_ARCHIVE to the address of one"
	apt apt-get -qq update >"$dir/apt/log" 2>&1 ||
		skip "can't fetch the package list of $suite: $(tail -n 1 "$dir/apt/log")"
	packages=$(closure "$package" 2>>"$dir/apt/log" | sort -u)
	mkdir -p "$dir/apt/new"
	(cd "$dir/apt/new" && apt apt-get -qq download $packages) >>"$dir/apt/log" 2>&1 ||
		skip "can't fetch $package of $suite: $(grep -m 1 '^[EW]:' "$dir/apt/log")"
	mv "$dir"/apt/new/*.deb "$dir/"
	rm -rf "$dir/apt"
}

# Unpacks the kernel and only those modules the guests are given: all of them take 400 MB.
unpack() {
	rm -rf "$dir/image" "$dir/all"
	mkdir -p "$dir/all" "$dir/new/lib"
	for deb in "$dir"/*.deb; do
		dpkg-deb -x "$deb" "$dir/all"
	done
	release=$(basename "$dir"/all/boot/vmlinuz-*)
	release=${release#vmlinuz-}
	[ -d "$dir/all/lib/modules" ] || ln -s usr/lib "$dir/all/lib"
	(cd "$dir/all" && busybox depmod -b . "$release")
	modules=$dir/all/lib/modules/$release
	mkdir -p "$dir/new/lib/modules/$release"
	grep -v '^#' "$here/modules" | while read -r m; do
		# A line of modules.dep: the module's file, a colon, the files of all it needs.
		grep -E "(^|/)$m\.ko[.a-z]*:" "$modules/modules.dep" || true
	done | tr -d : | tr ' ' '\n' | sort -u | sed '/^$/d' >"$dir/all/wanted"
	(cd "$modules" && cpio -pdm --quiet "$dir/new/lib/modules/$release" <"$dir/all/wanted")
	cp "$modules"/modules.builtin* "$modules"/modules.order "$dir/new/lib/modules/$release/"
	(cd "$dir/new" && busybox depmod -b . "$release")
	cp "$dir/all/boot/vmlinuz-$release" "$dir/new/vmlinuz"
	mv "$dir/new" "$dir/image"
	rm -rf "$dir/all"
}

mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9
ls "$dir"/*.deb >/dev/null 2>&1 || download >&2
[ "$dir/image/vmlinuz" -nt "$here/modules" ] || unpack >&2
echo "$dir"
