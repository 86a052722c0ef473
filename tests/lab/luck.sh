#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# luck.sh KERNEL: the lab when things go wrong: a package that can't be fetched, a full disk, a guest that panics, one
# that hangs, being interrupted; images of one's own that are none, or boot badly. Prints verdicts.
set -u
here=$(cd "$(dirname "$0")" && pwd)
kernel=$1
tmp=$(mktemp -d)
finish() {
	mountpoint -q "$tmp/small" && umount "$tmp/small"
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# said NAME STATUS PATTERN: the last run ended so, and said this.
said() {
	if [ "$status" = "$2" ] && grep -qE -e "$3" "$tmp/said"; then
		echo "PASS lab:$1"
	else
		echo "FAIL lab:$1: wanted status $2 and /$3/, got $status and:"
		sed 's/^/# /' "$tmp/said" | tail -n 10
	fi
}
lab() {
	TMPDIR=$tmp "$here/lab.sh" "K=$kernel" "$@" >"$tmp/said" 2>&1
	status=$?
}

XDG_CACHE_HOME=$tmp/cache SONDE_LAB_ARCHIVE=file:$tmp/nowhere lab --run true
said no-archive 77 "^SKIP lab:$kernel: can't fetch the package list of .*[EW]: "
if [ -n "$(ls -d "$tmp"/cache/sonde-lab/kernel/"$kernel" 2>/dev/null)" ]; then
	echo "FAIL lab:no-archive-left: a kernel that could not be fetched is in the cache"
else
	echo "PASS lab:no-archive-left"
fi

mkdir "$tmp/small"
if mount -t tmpfs -o size=256k tmpfs "$tmp/small" 2>/dev/null; then
	XDG_CACHE_HOME=$tmp/small lab --run true
	said full-disk 77 "^SKIP lab:$kernel: can't (fetch|prepare) "
else
	echo "SKIP lab:full-disk: no tmpfs can be mounted here"
fi

"$here/lab.sh" "K=$kernel" --run true >"$tmp/said" 2>&1
status=$?
if [ $status = 77 ]; then
	echo "SKIP lab:panic: $(cat "$tmp/said")"
	exit 0
fi
lab --append rdinit=/nothing --run true
said panic 1 "^FAIL lab:$kernel: the kernel did not get as far as the guest's first program .*console"
lab --time 15 --run 'echo begun; sleep 1000'
said hang 1 "^FAIL lab:$kernel: the guest took more than 15 s and was stopped"
lab --run 'echo c >/proc/sysrq-trigger; sleep 100'
said crash 1 "^FAIL lab:$kernel: the guest ended without a result"

# Images of one's own: what is none, and what is not for this machine, is refused before anything boots.
fetched=$("$here/fetch.sh" kernel "$kernel")
own() {
	rm -rf "$tmp/own/bad"
	TMPDIR=$tmp "$here/own.sh" "$@" "$tmp/own/bad" >"$tmp/said" 2>&1
	status=$?
}
own "$tmp/nothing"
said own-none 2 "there is no kernel image $tmp/nothing"
own "$here/luck.sh"
said own-text 2 'luck.sh is no kernel image that is known here'
own "$WORK"
said own-elf 2 'is an ELF file'
own --machine s390x "$fetched/vmlinuz"
said own-machine 2 'is for [a-z0-9]+, not for s390x'
mkdir -p "$tmp/modules/kernel"
printf 'vermagic=9.9.9-other SMP\0' >"$tmp/modules/kernel/some.ko"
own --modules "$tmp/modules" "$fetched/vmlinuz"
said own-modules 2 'those of 9\.9\.9-other'
if [ -z "$(ls "$tmp/own" 2>/dev/null)" ]; then
	echo "PASS lab:own-left"
else
	echo "FAIL lab:own-left: $(ls "$tmp/own")"
fi

# With its modules it is the kernel that it was. Without them it has no disk, and here no ports: its console carries all.
"$here/own.sh" --modules "$fetched/lib" "$fetched/vmlinuz" "$tmp/own/whole"
"$here/own.sh" "$fetched/vmlinuz" "$tmp/own/bare"
"$here/own.sh" "$fetched/vmlinuz" "$tmp/own/broken"
truncate -s 100K "$tmp/own/broken/vmlinuz"
export SONDE_LAB_KERNELS=$tmp/own
for name in whole bare; do
	parameters=$([ $name = whole ] || echo initcall_blacklist=virtio_console_init)
	TMPDIR=$tmp "$here/lab.sh" "K=$name" --append "$parameters" --results "$tmp/results.$name" \
		--run 'uname -r; exit 3' >"$tmp/said" 2>&1
	status=$?
	said own-$name 3 "^$(sed 's/[.+]/\\&/g' "$fetched/release")\$"
done
cp "$tmp/results.bare/lacks" "$tmp/said"
status=$([ -s "$tmp/results.whole/lacks" ] && echo more || echo all)
said own-lacks all '^no port for results .*console'
TMPDIR=$tmp "$here/lab.sh" K=broken --time 60 --run true >"$tmp/said" 2>&1
status=$?
said own-broken 1 '^FAIL lab:broken: the (kernel said nothing on its console|emulator does not take)'
unset SONDE_LAB_KERNELS

# nothing_of NAME: of what works in this folder no process is left (the pattern does not match itself, in grep's own
# command line), and no file.
nothing_of() {
	left=$(grep -l "$tmp/$1[/]" /proc/[0-9]*/cmdline 2>/dev/null)
	if [ -z "$left" ] && [ -z "$(ls "$tmp/$1")" ]; then
		echo "PASS lab:$1-left"
	else
		echo "FAIL lab:$1-left: processes $left, files $(ls "$tmp/$1")"
	fi
}
# begun PID PATTERN: until it has said so, or ended. Its turn may come late.
begun() {
	while ! grep -q "$2" "$tmp/said" && kill -0 "$1" 2>/dev/null; do
		sleep 0.1
	done
}

# Interrupted: no emulator, no folder, and its turn is free.
mkdir "$tmp/interrupted"
TMPDIR=$tmp/interrupted "$here/lab.sh" "K=$kernel" --run 'echo begun; sleep 1000' >"$tmp/said" 2>&1 &
pid=$!
begun $pid begun
kill -TERM $pid
wait $pid
status=$?
said interrupted 143 begun
nothing_of interrupted

# Ctrl-C, which all processes of the terminal hear, while tests run in a guest.
mkdir "$tmp/ctrl-c"
TMPDIR=$tmp/ctrl-c setsid "$WORK" signals "$here/../run.sh" "lab=$kernel" >"$tmp/said" 2>&1 &
pid=$!
begun $pid '^-- lab:'
kill -INT -$pid
wait $pid
status=$?
said ctrl-c 130 '^-- lab:'
nothing_of ctrl-c
