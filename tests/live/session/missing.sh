# SPDX-License-Identifier: GPL-2.0
# timeout: 3600
#
# Short runs where something of the machine is missing, or is allowed in part only: file systems, limits, system calls,
# rights. Sonde shows the known rows, or says what is missing, or refuses with status 1 and words of the true cause. It
# says of the kernel what it says without that, too, and nothing else; it ends, by no signal, and leaves nothing behind.
#
# A run and what is missing each have a mark, 0 or 1: LONG is what both may add up to. LONG=2 does all. MISSING=PATTERN picks
# pairs RUN-ENGINE-WHAT.
. "${0%/*}/../lib.sh"

: "${LONG:=0}" "${MISSING:=.}"
tab=$(printf '\t')
mkdir "$TMP/dir"
chmod 755 "$TMP" "$TMP/dir"
# For users who may not look into the folders of this one.
cp "$SONDE" "$TMP/sonde"
cp "$WORK" "$TMP/work"

# NAME, its mark, engines (-: there are none to choose from), what the known rows are like, how
# many they are (+: some), and the arguments.
runs() {
	sed 's/  */ /g; s/ *; */\t/g' <<-RUNS
	opensnoop    ; 0 ; bpf perf ftrace ; ,work,.*dir/       ; 12 ; opensnoop --csv --exec \$TMP/work opens 1 \$TMP/dir
	funccount    ; 0 ; ftrace          ; sys_enter_getsid   ; 1  ; funccount --csv t:syscalls:sys_enter_getsid --exec \$TMP/work calls 1
	funccount    ; 1 ; bpf perf        ; sys_enter_getsid   ; 1  ; funccount --csv t:syscalls:sys_enter_getsid --exec \$TMP/work calls 1
	execsnoop    ; 1 ; bpf perf ftrace ; ^work,             ; 1  ; execsnoop --csv --exec \$TMP/work noop
	profile      ; 1 ; bpf perf        ; chain_outer        ; +  ; profile -f -F 499 --exec \$TMP/work chain 150
	uprobe       ; 1 ; bpf perf ftrace ; job_calls          ; 1  ; funccount --csv \$TMP/work:job_calls --exec \$TMP/work calls 1
	bt           ; 1 ; bpf perf ftrace ; ^@: 1\$            ; 1  ; bt -q -e 't:syscalls:sys_enter_getsid /comm == "work"/ { @ = count() }' -c "\$TMP/work calls 1"
	exitsnoop    ; 1 ; bpf perf ftrace ; ^work,.*,0\$        ; 1  ; exitsnoop --csv --exec \$TMP/work noop
	tcplife      ; 1 ; bpf perf ftrace ; ^PID               ; 1  ; tcplife --duration 1
	biolatency   ; 1 ; bpf perf ftrace ; ^time,histogram    ; 1  ; biolatency --csv --duration 1
	stat         ; 0 ; -               ; task-clock         ; 1  ; stat \$TMP/work noop
	features     ; 1 ; -               ; ^opensnoop         ; 1  ; features
	tplist       ; 1 ; -               ; sys_enter_open\$   ; 1  ; tplist syscalls:sys_enter_open
	RUNS
}

# NAME, as above; what may be said of the kernel (-: nothing that is not said else); the words of the cause; and what is
# put before the command. A word M.PLACE mounts an empty file system there, U.PLACE takes away all that is mounted there.
missing() {
	sed 's/  */ /g; s/ *; */\t/g' <<-MISSING
	proc          ; 0 ; -  ; /proc is not mounted|/proc/.*No such file  ; without M./proc
	sys           ; 0 ; -  ; /sys is not mounted    ; without M./sys
	kernel        ; 1 ; -  ; /sys is not mounted    ; without M./sys/kernel
	trace         ; 0 ; -  ; tracefs                ; without U./sys/kernel/debug U./sys/kernel/tracing
	proc-sys      ; 0 ; -  ; /proc is not mounted|/sys is not mounted ; without M./proc M./sys
	proc-trace    ; 1 ; -  ; /proc is not mounted|/proc/.*No such file ; without M./proc U./sys/kernel/debug U./sys/kernel/tracing
	trace-fixed   ; 0 ; -  ; tracefs .*CAP_SYS_ADMIN|root here lacks ; without U./sys/kernel/debug U./sys/kernel/tracing \$WORK caps 0 -21
	trace-filter  ; 0 ; -  ; tracefs .*could not be mounted ; without U./sys/kernel/debug U./sys/kernel/tracing \$WORK refuses EPERM mount
	files-3       ; 0 ; -  ; open files.*ulimit -n ; prlimit --nofile=3
	files-4       ; 1 ; -  ; open files.*ulimit -n  ; prlimit --nofile=4
	files-6       ; 0 ; -  ; open files.*ulimit -n  ; prlimit --nofile=6
	files-10      ; 1 ; -  ; open files.*ulimit -n  ; prlimit --nofile=10
	files-16      ; 1 ; -  ; open files.*ulimit -n  ; prlimit --nofile=16
	files-32      ; 1 ; -  ; open files.*ulimit -n  ; prlimit --nofile=32
	locked        ; 1 ; -  ; MEMLOCK                ; prlimit --memlock=0
	addresses-4   ; 0 ; -  ; memory|[0-9] KB        ; prlimit --as=4000000
	addresses-6   ; 1 ; -  ; memory                 ; prlimit --as=6000000
	addresses-20  ; 1 ; -  ; memory                 ; prlimit --as=20000000
	data          ; 1 ; -  ; memory                 ; prlimit --data=1000000
	file-size     ; 0 ; -  ; File too large         ; prlimit --fsize=0
	stack-16      ; 0 ; -  ; RLIMIT_STACK           ; prlimit --stack=16384
	stack-64      ; 1 ; -  ; RLIMIT_STACK           ; prlimit --stack=65536
	stack-256     ; 1 ; -  ; RLIMIT_STACK           ; prlimit --stack=262144
	child-ignored ; 0 ; -  ; only.the.known.rows    ; \$WORK child-signal ignored
	child-blocked ; 0 ; -  ; only.the.known.rows    ; \$WORK child-signal blocked
	no-child      ; 0 ; -  ; No child processes     ; \$WORK refuses ECHILD wait4
	bpf-eperm     ; 0 ; -  ; not permitted.*(seccomp|policy|forbid) ; \$WORK refuses EPERM bpf
	bpf-enosys    ; 1 ; bpf ; bpf\(2\)              ; \$WORK refuses ENOSYS bpf
	perf-eperm    ; 1 ; -  ; not permitted.*(seccomp|policy|forbid) ; \$WORK refuses EPERM perf_event_open
	perf-enosys   ; 1 ; perf ; perf_event_open\(2\) ; \$WORK refuses ENOSYS perf_event_open
	both-eperm    ; 0 ; -  ; not permitted.*(seccomp|policy|forbid) ; \$WORK refuses EPERM bpf,perf_event_open
	both-enosys   ; 1 ; bpf|perf ; bpf\(2\)|perf_event_open\(2\) ; \$WORK refuses ENOSYS bpf,perf_event_open
	all-eperm     ; 1 ; -  ; not permitted          ; \$WORK refuses EPERM bpf,perf_event_open,mount
	no-admin      ; 1 ; -  ; CAP_SYS_ADMIN|root     ; \$WORK caps 0 -21
	no-caps       ; 0 ; -  ; CAP_[A-Z]*|root        ; setpriv --bounding-set -all --inh-caps -all
	nobody        ; 0 ; -  ; root                   ; \$WORK as 65534
	nobody-procs  ; 1 ; -  ; root|temporarily unavailable ; prlimit --nproc=1 \$WORK as 65534
	bpf-eperm-proc ; 1 ; - ; /proc is not mounted|seccomp|policy ; without M./proc \$WORK refuses EPERM bpf
	no-caps-proc  ; 1 ; -  ; /proc|CAP_[A-Z]*|root  ; without M./proc setpriv --bounding-set -all --inh-caps -all
	memory-16     ; 0 ; -  ; memory                 ; small_group
	MISSING
}

# without PLACE... COMMAND...: in a mount namespace of its own.
without() {
	timeout "$limit" unshare -m sh -c '
		while :; do
			case $1 in
			M./*) mount -t tmpfs none "${1#M.}" || exit 77 ;;
			U./*) while umount -l "${1#U.}" 2>/dev/null; do :; done ;;
			*) break ;;
			esac
			shift
		done
		exec "$@"' - "$@"
}
# small_group COMMAND...: in a control group with 16 MB.
small_group() { timeout "$limit" sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"; }
group=
make_group() {
	for root in "$(cgroup2)" /sys/fs/cgroup/memory; do
		group=$root/sonde-missing-$$
		mkdir "$group" 2>/dev/null || continue
		echo 16M 2>/dev/null >"$group/memory.max" || echo 16M 2>/dev/null >"$group/memory.limit_in_bytes" && return 0
		rmdir "$group"
	done
	group=
	return 1
}
cleanup_hook() { [ -z "$group" ] || rmdir "$group"; }

# What is said of the kernel, one a line; that of a run with nothing missing is in $TMP/said.
of_kernel() {
	grep -ohE "kernel has no [^();,]*|kernel lacks [^();,]*|kernel takes no [^();,]*|built without [^();,]*|kernel does not list [^();,]*|[a-z]* does not exist|older than [^;,]*" \
		"$@" | sed 's/ *$//' | sort -u
}

# How many of the known rows there are; `sonde stat` prints to stderr.
rows() { cat "$TMP/out" "$TMP/err" | grep -cE -e "$keep"; }
# As inject.awk's verdicts: DIED, HANG, STATUS, FALSE (other rows, and nothing of the cause), UNSAID (a failure without the
# cause), EMPTY (a failure without a message), UNTRUE.
judge() {
	n=$(rows)
	of_kernel "$TMP/out" "$TMP/err" | grep -vxF -f "$TMP/said" >"$TMP/new"
	[ "$may" = - ] || { grep -vE -e "$may" "$TMP/new" >"$TMP/rest"; mv "$TMP/rest" "$TMP/new"; }
	case $STATUS in
	124 | 137) echo HANG ;;
	12[89] | 1[3-9]? | 2??) echo DIED ;;
	0 | 1) [ ! -s "$TMP/new" ] || { echo "UNTRUE ($(head -n 1 "$TMP/new"))"; return; } ;;
	*) echo STATUS ;;
	esac
	[ $STATUS -le 1 ] || return
	cat "$TMP/err" "$TMP/out" | tr '\n' ' ' >"$TMP/all"
	if [ $STATUS = 0 ]; then
		{ [ "$count" = + ] && [ "$n" -gt 0 ]; } || [ "$count" = "$n" ] || grep -qE -e "$words" "$TMP/all" || echo FALSE
	elif [ ! -s "$TMP/err" ]; then
		echo EMPTY
	else
		grep -qE -e "$words" "$TMP/all" || echo UNSAID
	fi
}

limit=$((20 * SLOW))
missing >"$TMP/missing"
runs >"$TMP/runs"
make_group || skip memory-16 "no control groups of memory here"
while IFS=$tab read -r name long engines keep count arguments; do
	[ "$LONG" -ge "$long" ] || continue
	for engine in $engines; do
		eval "set -- $arguments"
		tool=$1
		shift
		[ "$engine" = - ] || set -- --backend "$engine" "$@"
		run=$name-${engine%-}
		run=${run%-}
		sed "s/^/$run-/; s/$tab.*//" "$TMP/missing" | grep -qE -e "$MISSING" || continue
		may=- words='only the known rows'
		timeout $limit "$TMP/sonde" "$tool" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
		STATUS=$?
		of_kernel "$TMP/out" "$TMP/err" >"$TMP/said"
		if [ $STATUS = 1 ] && grep -q "can't run here" "$TMP/err"; then
			skip "$run" "$(head -n 1 "$TMP/err")"
			continue
		fi
		judge >"$TMP/verdict"
		[ "$STATUS" = 0 ] && ! grep . "$TMP/verdict" || { fail "$run" "not the known rows:"; notes "$TMP/out"; continue; }
		n_done=0 wrong= left_out=
		while IFS=$tab read -r what level may words starter; do
			[ $((long + level)) -le "$LONG" ] || continue
			echo "$run-$what" | grep -qE -e "$MISSING" || continue
			[ "$what" != memory-16 ] || [ -n "$group" ] || continue
			case $starter in without* | small_group*) ;; *) starter="timeout $limit $starter" ;; esac
			eval "started() { $starter \"\$@\"; }"
			# Not into a file: its size may be limited, too.
			{ started "$TMP/sonde" "$tool" "$@" >"$TMP/out" </dev/null; echo $? >"$TMP/status"; } 2>&1 | cat >"$TMP/err"
			STATUS=$(cat "$TMP/status")
			# What the starter can't take away here.
			case $STATUS in 77 | 127) left_out="$left_out $what"; continue ;; esac
			n_done=$((n_done + 1))
			judge >"$TMP/verdict"
			[ -s "$TMP/verdict" ] || continue
			wrong=1
			fail "$run-$what" "$(cat "$TMP/verdict"), status $STATUS, $(rows) rows:"
			notes "$TMP/err"
		done <"$TMP/missing"
		echo "# $run: $n_done things missing"
		[ -z "$left_out" ] || skip "$run-all" "what would take these away is not here, or can't:$left_out"
		[ -n "$wrong" ] || pass "$run"
	done
done <"$TMP/runs"
clean left
quiet kernel-log
