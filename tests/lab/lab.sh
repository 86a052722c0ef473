#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# lab.sh K=NAME: runs the live tests on another kernel, in QEMU (without KVM: emulated, slow but the same everywhere).
# lab.sh K=NAME --tests 'NAME...': only these of them; --tests quick: those with most of what only a guest can show.
# lab.sh K=NAME --run 'COMMAND': runs a shell command there instead, prints its output, exits with its status.
#
# Options before --run: --add FILE puts a file into the guest's folder /lab (repeatable; programs must be static),
# --time SECONDS is how long the guest may take, --memory MB, --cpus N.
#
# The guest has busybox, /lab/sonde, /lab/work, /lab/work32 and /lab/live as far as they are built, a loop module, an
# empty NVMe disk of 64 MB (/dev/nvme0n1), and /tmp in memory. Its console's log is named where something went wrong.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build
quick="opensnoop execsnoop engines-equal loss"
name= run= tests= added= limit=900 memory=1024 cpus=2

usage() { sed -n '/^# lab.sh/,/^$/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }

while [ $# -gt 0 ]; do
	case $1 in
	K=*) name=${1#K=} ;;
	--run) [ $# -eq 2 ] || usage; run=$2; shift ;;
	--tests) [ $# -gt 1 ] || usage; tests=$2; shift ;;
	--add) [ $# -gt 1 ] && [ -f "$2" ] || usage; added="$added $2"; shift ;;
	--time) limit=$2; shift ;;
	--memory) memory=$2; shift ;;
	--cpus) cpus=$2; shift ;;
	*) usage ;;
	esac
	shift
done
[ -n "$name" ] || usage

skip() {
	echo "SKIP lab:$name: $*"
	exit 77
}

row=$(grep -E "^$name[[:space:]]" "$here/kernels") || {
	echo "lab: no kernel '$name'; there are: $(awk '!/^(#|$)/ { print $1 }' "$here/kernels" | xargs)" >&2
	exit 2
}
read -r _ _ _ arch machine cpu console <<ROW
$row
ROW
case $arch in
amd64) qemu=qemu-system-x86_64 native=x86_64 ;;
arm64) qemu=qemu-system-aarch64 native=aarch64 ;;
esac
command -v $qemu >/dev/null || skip "$qemu is not installed"
command -v cpio >/dev/null || skip "cpio is not installed"
busybox=$(command -v busybox) || skip "busybox-static is not installed"
[ "$(uname -m)" = $native ] || skip "this machine is $(uname -m): its busybox and sonde can't run on an $arch guest"

work=$(mktemp -d "${TMPDIR:-/tmp}/sonde-lab.XXXXXX")
pid=
finish() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null
	[ -z "$pid" ] || wait "$pid" 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

kernel=$("$here/fetch.sh" "$name" 2>"$work/why")
case $? in
0) ;;
77) skip "$(tail -n 1 "$work/why")" ;;
*) echo "FAIL lab:$name: can't prepare the kernel: $(tail -n 3 "$work/why")"; exit 1 ;;
esac

# The guest's files.
guest=$work/guest
mkdir -p "$guest/bin" "$guest/sbin" "$guest/dev" "$guest/proc" "$guest/sys" "$guest/tmp" "$guest/root" "$guest/etc" \
	"$guest/lab"
cp "$busybox" "$guest/bin/busybox"
for applet in $("$busybox" --list); do
	[ "$applet" = busybox ] || ln -s busybox "$guest/bin/$applet"
done
ln -s ../bin/busybox "$guest/sbin/modprobe"
cp "$here/init" "$guest/init"
printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$guest/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$guest/etc/group"
printf '127.0.0.1 localhost\n::1 localhost\n' >"$guest/etc/hosts"
cp -r "$kernel/image/lib" "$guest/"
for f in "$build/tests/work" "$build/tests/work32" $added; do
	[ ! -f "$f" ] || cp "$f" "$guest/lab/"
done
sonde=${SONDE:-$root/sonde}
[ ! -f "$sonde" ] || cp "$sonde" "$guest/lab/sonde"
cp -r "$root/tests/live" "$guest/lab/live"
if [ -n "$run" ]; then
	printf '%s\n' "$run" >"$guest/lab/command"
else
	[ "$tests" != quick ] || tests=$quick
	cat >"$guest/lab/command" <<-LIVE
	export SONDE=/lab/sonde WORK=/lab/work SLOW=4
	exec sh live/run.sh $tests
	LIVE
fi
chmod -R a+rX "$guest"
(cd "$guest" && find . | cpio -o -H newc -R 0:0 --quiet) >"$work/initramfs"
truncate -s 64M "$work/disk"

# pdeathsig: nothing stays behind even where this script is killed by force.
bound=$(command -v setpriv >/dev/null && echo "setpriv --pdeathsig")
started=$(date +%s)
${bound:+$bound TERM} timeout -k 5 "$limit" ${bound:+$bound KILL} \
	$qemu -accel tcg,thread=single -machine "$machine" -cpu "$cpu" -smp "$cpus" -m "$memory" \
	-display none -monitor none -nodefaults -no-reboot \
	-serial "file:$work/console" -serial "file:$work/output" -serial "file:$work/status" \
	-drive "file=$work/disk,format=raw,if=none,id=disk" -device nvme,serial=lab,drive=disk \
	-kernel "$kernel/image/vmlinuz" -initrd "$work/initramfs" \
	-append "console=${console}0 serial=$console panic=-1 quiet" \
	</dev/null >"$work/qemu" 2>&1 &
pid=$!
: >>"$work/output"
# Verdicts say where they come from.
prefix=$([ -n "$run" ] || echo "s/^\\(PASS\\|FAIL\\|SKIP\\) /&lab:$name:/")
tail -n +1 -s 0.1 -f --pid=$pid "$work/output" 2>/dev/null | sed -u "$prefix" &
tail=$!
wait $pid
code=$?
pid=
wait $tail
status=$(sed -n 's/^exit \([0-9]*\).*/\1/p' "$work/status" 2>/dev/null)

if [ -z "$status" ]; then
	mkdir -p "$build/lab"
	log=$build/lab/$name.console
	cat "$work/qemu" "$work/console" >"$log" 2>/dev/null
	why="the guest ended without a result"
	[ $code -ne 124 ] || why="the guest took more than $limit s and was stopped"
	echo "FAIL lab:$name: $why (after $(($(date +%s) - started)) s; its console: $log)"
	tail -n 5 "$log" >&2
	exit 1
fi
exit "$status"
