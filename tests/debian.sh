#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# debian.sh SUITE FOLDER [PACKAGE...]: makes FOLDER a small Debian of this release with these packages; where there is one
# already, it learns anew where packages come from. That is where this machine's apt gets its own: nothing on the machine
# changes. Needs root; and debootstrap, if there is none.
# Exit 77: it is unavailable here; the reason is the last line on stderr.
set -eu
skip() { echo "$*" >&2; exit 77; }
[ $# -gt 1 ] || { sed -n '/^# debian.sh/,/^set/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }
suite=$1 folder=$2
shift 2

[ "$(id -u)" = 0 ] || skip "only root can make a Debian $suite to work in"
command -v apt-get >/dev/null || skip "no apt on this machine to know an archive of Debian's"
# What this machine's apt knows of Debian, for another release; and how to get there.
sources() {
	apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
		awk -v suite="$suite" '$1 == "Debian" && split($3, part, "-") {
			print "deb " $2 " " suite substr($3, length(part[1]) + 1) " " $4 }' | sort -u
}
settings() { apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-(Date|Valid-Until)) ' || true; }

if [ ! -d "$folder/etc/apt" ]; then
	command -v debootstrap >/dev/null || skip "debootstrap is missing: apt-get install debootstrap"
	mirror=${SONDE_LAB_ARCHIVE:-$(sources | awk -v suite="$suite" '$3 == suite { print $2; exit }')}
	[ -n "$mirror" ] || skip "apt knows no Debian archive on this machine: set SONDE_LAB_ARCHIVE to the address of one"
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	debootstrap --variant=minbase ${*:+"--include=$(echo "$*" | tr ' ' ,)"} "$suite" "$folder" "$mirror" >"$log" 2>&1 || {
		tail -n 5 "$log" >&2
		skip "can't make a Debian $suite of $mirror: $(grep -m 1 '^[EW]:' "$log" || tail -n 1 "$log")"
	}
	rm -rf "$folder"/var/cache/apt/archives/*.deb
fi
sources >"$folder/etc/apt/sources.list"
settings >"$folder/etc/apt/apt.conf.d/99as-outside"
cp /etc/resolv.conf /etc/hosts "$folder/etc/"
