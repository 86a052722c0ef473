# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# A function without a frame, as leaves have none with -fno-omit-frame-pointer either, has its caller in stacks: where it
# runs, and where it sleeps in a system call. Each of its rows has it, or the kernel lacks what it takes.
. "${0%/*}/../lib.sh"

# Where the rings' stacks or BPF programs have it.
served() {
	case $1,$(uname -m) in
	perf,x86_64 | perf,aarch64 | perf,i686) "$SONDE" features -v | grep -q '^user-registers  *yes' ;;
	bpf,x86_64) [ -r /sys/kernel/btf/vmlinux ] ;;
	*) false ;;
	esac
}

for b in bpf perf; do
	case " $ENGINES " in *" $b "*) ;; *) continue ;; esac
	if ! served $b; then
		skip leaves-$b "$b does not tell the callers of leaves here"
		continue
	fi
	load w "$WORK" leaves 500
	if ! start_or_skip sampling-$b 'takes no samples|BPF programs on samples|do not tell tasks|in this pid namespace' s profile --backend $b -F 199 -f -U -p "$(pid w)"; then
		continue
	fi
	start o offcputime --backend $b -f -U -p "$(pid w)"
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop o && equal off-ends-$b 0 "$STATUS"
	contains runs-$b "$TMP/s.out" ';main;job_leaves;leaf_middle;leaf_spins [0-9]+$'
	expect runs-alone-$b sh -c "! grep ';leaf_spins ' '$TMP/s.out' | grep -qv ';job_leaves;leaf_middle;leaf_spins '"
	contains sleeps-$b "$TMP/o.out" ';main;job_leaves;leaf_sleeper;syscall [0-9]+$'
	expect sleeps-alone-$b sh -c "! grep ';syscall ' '$TMP/o.out' | grep -qv ';job_leaves;leaf_sleeper;syscall '"
done
clean left
quiet kernel-log
