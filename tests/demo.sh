#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# `make run`: sonde on this machine for ten seconds, with a few harmless programs to see.
cd "$(dirname "$0")/.." || exit 1
if [ "$(id -u)" != 0 ]; then
	echo "Tracing needs root: run \`sudo make run\`" >&2
	exit 1
fi
[ -e /sys/kernel/tracing/README ] || mount -t tracefs tracefs /sys/kernel/tracing || exit 1
echo "sonde execsnoop for 10 seconds. So that there is something to see on a quiet machine, this script runs"
echo "uname and ls once a second meanwhile."
for i in 1 2 3 4 5 6 7 8 9 10; do
	sleep 1
	uname -s
	ls -d "/proc/$$"
done >/dev/null &
load=$!
trap 'kill $load 2>/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
./sonde execsnoop --duration 10
