#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# in_guest.sh KERNEL PAID: runs guest.sh in a guest of the lab, with the program that does the works, and what is
# installed here of libbpf-tools and bpftrace. `make bench-guest` is this.
set -u
cd "$(dirname "$0")/../.." || exit 2
kernel=$1 paid=$2
. tests/peers.sh

set -- --memory 2048 --icount --add "$paid" --add tests/bench/guest.sh
for script in tests/bench/scripts/*.bt; do
	set -- "$@" --add "$script"
done
for name in tcplife statsnoop tcpsynbl syncsnoop naptime vfscount; do
	! path=$(bpftrace_script $name) || set -- "$@" --add "$path"
done
for name in vfsstat funclatency syscount runqlat cpudist offcputime opensnoop biolatency biosnoop bitesize tcplife tcptop \
	execsnoop tcpconnect killsnoop filetop klockstat slabratetop biostacks; do
	! path=$(libbpf_tool $name) || set -- "$@" --program "$path"
done
for name in bpftrace perf strace; do
	! path=$(command -v $name) || set -- "$@" --program "$path"
done
exec tests/lab/lab.sh "K=$kernel" "$@" --run "ONLY='${ONLY:-}' SCRIPTS='${SCRIPTS:-}' exec sh guest.sh"
