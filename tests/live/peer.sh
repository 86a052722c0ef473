# SPDX-License-Identifier: GPL-2.0
#
# Another recorder of this machine, which may fail because of what else traces. To be sourced, behind lib.sh.

# peer OUT ERR COMMAND...: tries three times to end well; its output goes to OUT and what it says to ERR. (trace-cmd gives
# up when kallsyms changes while it reads it; perf when the kernel leaves it no room for its rings.)
peer() {
	out=$1 err=$2
	shift 2
	for _ in 1 2 3; do
		"$@" >"$out" 2>"$err" && return 0
	done
	notes "$err"
	return 1
}
