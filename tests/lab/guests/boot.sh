#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# boot.sh KERNEL: a guest that begins with sonde-init records its own boot; one whose recorder fails boots as well. Prints
# verdicts.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
kernel=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# boot NAME PARAMETERS COMMAND: a guest whose first process is sonde-init.
cp "${SONDE:-$root/sonde}" "$tmp/sonde-init" || exit 1
boot() {
	name=$1
	rm -rf "$tmp/left"
	"$here/lab.sh" "K=$kernel" --add "$tmp/sonde-init" --append "rdinit=/lab/sonde-init $2" --results "$tmp/left" \
		--run "$3" >"$tmp/said" 2>&1
	status=$?
	if [ $status = 77 ]; then
		echo "SKIP lab:boot: $(tail -n 1 "$tmp/said")"
		exit 0
	fi
	verdict booted "[ $status = 0 ]"
}
# verdict NAME CONDITION, a shell's.
verdict() {
	if eval "$2"; then
		echo "PASS lab:boot-$name-$1"
	else
		echo "FAIL lab:boot-$name-$1: $2 (status $status)"
		tail -n 20 "$tmp/said" | sed 's/^/# /'
	fi
}
# until_there FILE, in the guest; wait_for FILE: then what there is to see of the recorder.
until_there() { echo "i=0; while [ \$i -lt 60 ] && ! [ -s $1 ]; do sleep 1; i=\$((i + 1)); done; sleep 1"; }
wait_for() {
	echo "$(until_there "$1"); dmesg | grep sonde; \
		cp $1 \$RESULTS/boot; ./sonde bootchart $1; ./sonde bootchart $1 -o - >\$RESULTS/svg; ps | grep '[s]onde-init'; true"
}

# The rest goes on as if nothing were: the file system it covers, the mounts, the name of the first process.
boot chart "sonde.duration=10" "$(wait_for /tmp/sonde-boot.perf); mount | grep -c '^sonde' ; cat /proc/1/comm"
verdict file '[ -s "$tmp/left/boot" ]'
verdict said 'grep -q "sonde-init: the recording is in /tmp/sonde-boot.perf" "$tmp/said"'
verdict no-mount 'grep -q "^0$" "$tmp/said"'
verdict first 'grep -q "^init$" "$tmp/said"'
verdict init "grep -q '^<g><title>init (1): ' \"\$tmp/left/svg\""
verdict mount "grep -q '^<g><title>mount ([0-9]*) of init (1), from [0-9.]* s, to ' \"\$tmp/left/svg\""
# A kernel of one's own may have no modules.
own=${SONDE_LAB_KERNELS:+$SONDE_LAB_KERNELS/$kernel}
if [ -d "$own" ] && ! find "$own" -name '*.ko*' | grep -q .; then
	echo "SKIP lab:boot-chart-modprobe: this kernel has no modules to load"
else
	verdict modprobe "grep -q '^<g><title>modprobe ([0-9]*) of init (1)' \"\$tmp/left/svg\""
fi
verdict cpu 'grep -q "^MOST CPU" "$tmp/said"'

# Other events, another place, and parameters with mistakes.
boot tools "sonde.record=execsnoop,runqlat sonde.duration=3 sonde.output=/root/my sonde.foo=1 sonde.init=/no/init" \
	"$(wait_for /root/my); [ \$(./sonde execsnoop --csv --input /root/my | wc -l) -gt 5 ] && echo rows; \
	mount -t tmpfs tmpfs /root; $(until_there /root/my); [ -s /root/my ] && echo uncovered"
verdict place 'grep -q "the recording is in /root/my" "$tmp/said"'
verdict rows 'grep -q "^rows$" "$tmp/said"'
verdict covered 'grep -q "^uncovered$" "$tmp/said"'

# Nothing can be recorded.
boot fails "sonde.record=nosuchtool" 'ps | grep "[s]onde-init"; ls /tmp/sonde-boot.perf; true'
verdict none '! grep -q "sonde-init" "$tmp/said"'
verdict no-file 'grep -q "No such file" "$tmp/said"'
