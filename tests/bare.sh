#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bare.sh SUITE [busy]: `make test` as a new user meets it: in a Debian of this release (bookworm, trixie) with nothing
# but git, make and ca-certificates, on a fresh clone of what is committed here. Ends as `make test` does, and says how
# long it took. busy: beside two busy loops a CPU.
# bare.sh SUITE --run 'COMMAND': runs this shell command in the clone instead.
#
# Needs root and debootstrap. The Debian comes from where this machine's apt gets its own, is made once, in
# ~/.cache/sonde-lab, and copied below $TMPDIR (/tmp) for each run: 2 GB when all is installed. It sees the machine's
# /proc, /sys and /dev, as a container with all rights does. Kernels are fetched by the tests themselves, as anywhere new.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sonde-lab

usage() { sed -n '/^# bare.sh/,/^#$/p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 2; }

. "$root/tests/own_mounts.sh"

# Mounts below are this script's alone.
if [ "${1:-}" != --inside ]; then
	case $#:${2:-} in
	1: | 2:busy | 3:--run) ;;
	*) usage ;;
	esac
	[ "$(id -u)" = 0 ] || { echo "bare.sh: needs root" >&2; exit 1; }
	command -v debootstrap >/dev/null || { echo "bare.sh: debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }
	dir=$(mktemp -d "${TMPDIR:-/tmp}/sonde-bare.XXXXXX") || exit 1
	own_mounts "$dir" "$@"
fi
dir=$2 suite=$3 how=${4:-} command=${5:-make test}

base=$cache/bare/$suite.tar
mkdir -p "$cache/bare"
exec 9>"$base.lock"
flock 9
if [ ! -s "$base" ]; then
	echo "making a bare $suite"
	"$root/tests/debian.sh" "$suite" "$dir/base" git make ca-certificates || exit 1
	tar -C "$dir/base" -cf "$base.new" . && mv "$base.new" "$base"
	rm -rf "$dir/base"
fi
exec 9>&-
there=$dir/root
# What makes namespaces wants its root to be a mount.
mkdir "$there" && mount --bind "$there" "$there" && tar -C "$there" -xf "$base" || exit 1
"$root/tests/debian.sh" "$suite" "$there" || exit 1
for m in proc sys dev; do
	mount --rbind "/$m" "$there/$m" || exit 1
done
git clone -q "$root" "$there/root/sonde" || exit 1

busy=
if [ "$how" = busy ]; then
	for i in $(seq $((2 * $(nproc)))); do
		while :; do :; done &
		busy="$busy $!"
	done
	trap 'kill $busy' EXIT
	trap 'exit 143' TERM
fi
begun=$(date +%s)
# Nothing of this user's surroundings is there, no language either.
env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
	chroot "$there" sh -c "cd /root/sonde && $command"
status=$?
took=$(($(date +%s) - begun))
echo "$suite${busy:+, beside $(echo $busy | wc -w) busy loops}: ended with status $status after $((took / 60)) min $((took % 60)) s"
exit $status
