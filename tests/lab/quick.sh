#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# quick.sh: the part of the lab that `make test` runs: live tests with most of what only a guest can show, some on an old
# and some on a new kernel of this machine, at the same time, and how the lab takes it when something goes wrong.
# quick.sh long: what `make test LONG=1` and `make lab` run beside it: what takes most of a quarter of an hour.
# Ends with the worst status of them, 77 apart.
set -u
cd "$(dirname "$0")" || exit 1
# A guest that hangs ends, and is named, while whoever called `make test` still waits.
export GUEST_TIME="${GUEST_TIME:-2400}"
arch=$(awk -v machine="$(uname -m)-" 'index($2, machine) == 1 { print $1; exit }' machines)
[ -n "$arch" ] || { echo "SKIP lab: no kernels for this machine ($(uname -m))"; exit 77; }

going=
finish() {
	for p in $going; do
		kill -TERM "$p" 2>/dev/null
	done
	for p in $going; do
		wait "$p"
	done
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# guest KERNEL TESTS...: `make lab K=KERNEL` runs all there are.
guest() {
	k=$1
	shift
	grep -q "^$k[[:space:]]" kernels || return 0
	./lab.sh "K=$k" --tests "$*" &
	going="$going $!"
}
case ${1:-} in
"")
	guest "5.10-$arch" engines-equal
	guest "newest-$arch" opensnoop
	./luck.sh "newest-$arch" &
	going="$going $!"
	./guests/boot.sh "6.1-$arch" &
	going="$going $!"
	./guests/early.sh "6.1-$arch" &
	going="$going $!"
	;;
long)
	guest "5.10-$arch" opensnoop loss netem
	guest "newest-$arch" execsnoop engines-equal soak
	;;
*) echo "quick.sh: there is the quick part, without a word, and long" >&2; exit 2 ;;
esac
worst=0
for p in $going; do
	wait "$p"
	status=$?
	[ $status = 0 ] || [ $status = 77 ] || worst=$status
done
going=
exit $worst
