# SPDX-License-Identifier: GPL-2.0
# timeout: 3600
#
# Each system call of sonde fails once with each error that fits it (inject.errnos). Sonde then shows the same rows, or says
# what it could not do, and why; it never shows less and says nothing, never says of the kernel what is not so, ends, and
# leaves nothing behind (inject.awk judges).
#
# Calls of a run with the same key (work/inject/keys.h) are a kind. LONG=2: the first and the last of each kind of each run
# fail. LONG=1: the first of each kind of a few runs that no run before had on this engine. Without LONG some kinds of one run. INJECT="NAME-ENGINE..." picks runs, and INJECT_ONLY=PATTERN
# cases "KEY NUMBER ERRNO", as with LONG=2.
. "${0%/*}/../lib.sh"

: "${LONG:=0}" "${INJECT:=}" "${INJECT_JOBS:=3}"
here=${0%/*}
tab=$(printf '\t')
PORT=7077
mkdir "$TMP/dir"

# NAME, the LONG that it needs, engines (-: there are none to choose from), which rows are known, what of a row is not (-:
# all is), how many rows there are (+: any number of the same one; all: all that is printed), and
# the arguments of sonde.
runs() {
	sed 's/  */ /g; s/ *; */\t/g' <<-RUNS
	opensnoop    ; 0 ; bpf perf ftrace ; ,work,.*dir/           ; ^[0-9]+,   ; 12  ; opensnoop --csv --exec \$WORK opens 1 \$TMP/dir
	syscount     ; 1 ; bpf perf ftrace ; ,(execve|fcntl|prctl),  ; ^[0-9:]+   ; 3   ; syscount --csv --exec \$WORK noop
	offcputime   ; 2 ; bpf perf ftrace ; do_nanosleep            ; ^.*[^a-z_]main[^a-z_]|[^e]* [0-9]+$ ; + ; offcputime -f --exec \$WORK sleep 20
	profile      ; 2 ; bpf perf        ; chain_outer             ; ^.*[^a-z_]main[^a-z_]|chain_(inner|outer|seldom|often).* ; + ; profile -f -F 499 --exec \$WORK chain 150
	bt           ; 1 ; bpf perf ftrace ; ^@                      ; -          ; 1   ; bt -q -e 't:syscalls:sys_enter_getsid /pid == cpid/ { @ = count() }' -c "\$WORK calls 1"
	uprobe       ; 2 ; bpf perf ftrace ; job_calls               ; ^[0-9:]+   ; 1   ; funccount --csv \$WORK:job_calls --exec \$WORK calls 1
	features     ; 2 ; -               ; .                       ; -          ; all ; features
	execsnoop    ; 2 ; bpf perf ftrace ; ^work,                  ; [0-9]+,[0-9]+ ; 1 ; execsnoop --csv --exec \$WORK noop
	trace        ; 2 ; bpf perf ftrace ; getsid,                 ; ^[0-9,]+   ; 1   ; trace --csv 't:syscalls:sys_enter_getsid "%d", args->pid' --exec \$WORK calls 1
	funccount    ; 2 ; bpf perf ftrace ; sys_enter_getsid        ; ^[0-9:]+   ; 1   ; funccount --csv t:syscalls:sys_enter_getsid --exec \$WORK calls 1
	stackcount   ; 2 ; bpf perf ftrace ; ^work.*syscall          ; -          ; 1   ; stackcount -f t:syscalls:sys_enter_getsid --exec \$WORK calls 1
	exitsnoop    ; 2 ; bpf perf ftrace ; code 3                  ; [0-9.]+,   ; 1   ; exitsnoop --csv --exec \$WORK leave 3
	tcpconnect   ; 2 ; bpf perf ftrace ; ,70[0-9]*\$             ; [0-9]+     ; 1   ; tcpconnect --csv --exec \$WORK connects 1 $PORT 4
	funclatency  ; 2 ; bpf perf ftrace ; ,nsecs,.*,\$            ; [0-9]+     ; 1   ; funclatency --csv \$WORK:job_calls --exec \$WORK calls 1
	tplist       ; 2 ; -               ; sys_enter_open          ; -          ; all ; tplist 'syscalls:sys_enter_open*'
	tplist-user  ; 2 ; -               ; sonde_work              ; -          ; all ; tplist -l \$WORK
	RUNS
}

# cases NAME: of the kinds of its list, all that is to fail: KEY, NUMBER, ERRNO.
cases() {
	awk -F '\t' -v OFS='\t' -v errnos="$here/inject.errnos" -v unlisted="$TMP/unlisted" '
		BEGIN {
			while ((getline line <errnos) > 0) {
				if (line ~ /^#|^$/)
					continue
				split(line, half, / *: */)
				fits[half[1]] = " " half[2]
			}
		}
		$1 == "key" {
			split($2, word, " ")
			call = word[2]
			if (call " " word[3] in fits)
				call = call " " word[3]
			# By a file alone: fstat(2), as newer C libraries make it.
			if (call == "newfstatat" && word[4] == "" && word[3] ~ /^</)
				call = "fstat"
			if (!(call in fits)) {
				print $2 >unlisted
				next
			}
			for (i = split(fits[call], error, " "); i; i--) {
				# No device is behind a pipe; a pipe without a reader is no error of stdout: `| head`.
				if ($2 ~ /<(pipe|socket):/ && error[i] ~ /^(EIO|ENOSPC)$/ || $2 ~ /memfd:out/ && error[i] == "EPIPE")
					continue
				print $2, 1, error[i]
				if ($3 > 1)
					print $2, $3, error[i]
			}
		}' "$TMP/$1.list"
}

# inject NAME ENGINE KEEP DROP WANTED ARGS...: makes the calls of this run fail that pick() leaves, and judges.
inject() {
	run=$1-$2 keep=$3 drop=$4 wanted=$5
	shift 5
	run=${run%--}
	timeout $((60 * SLOW)) "$WORK" lists-calls "$SONDE" "$@" >"$TMP/$run.list" 2>"$TMP/$run.why" </dev/null
	if [ $? = 77 ] || ! grep -q '^ended' "$TMP/$run.list"; then
		skip "$run" "$(head -n 1 "$TMP/$run.why")"
		return
	fi
	if grep -q "^ended${tab}exit 1$" "$TMP/$run.list" && grep -q "can't run here" "$TMP/$run.list"; then
		skip "$run" "$(sed -n "s/^err$tab//p" "$TMP/$run.list" | head -n 1)"
		return
	fi
	cases "$run" >"$TMP/$run.all"
	pick "$run" >"$TMP/$run.cases"
	cp "$TMP/$run.cases" "$TMP/$run.again"
	# What others do may change rows for once: what was wrong is done again.
	for round in 1 2; do
		do_cases "$@"
		[ $round = 2 ] || cp "$TMP/$run.judged" "$TMP/$run.first"
		sed -n 's/^[A-Z][A-Z]* | //p' "$TMP/$run.judged" | awk -F ' [|] ' -v OFS='\t' '$1 != "none" { print $1, $2, $3 }' \
			>"$TMP/$run.again"
		[ -s "$TMP/$run.again" ] || break
	done
	tail -n 1 "$TMP/$run.first" | sed "s/^/# $run: /"
	grep '^[A-Z][A-Z]* | ' "$TMP/$run.judged" >"$TMP/$run.wrong"
	asked=$(wc -l <"$TMP/$run.cases") judged=$(sed -n 's/^\([0-9]*\) cases.*/\1/p' "$TMP/$run.first")
	if [ -s "$TMP/$run.wrong" ]; then
		fail "$run" "$(wc -l <"$TMP/$run.wrong") of $asked, first $(head -n 1 "$TMP/$run.wrong")"
		sed 's/^/#   /' "$TMP/$run.wrong"
	else
		equal "$run" "$asked" "$judged"
	fi
	[ -z "${INJECT_KEEP:-}" ] || cp "$TMP/$run".* "$INJECT_KEEP"
}

# do_part FILE ARGS...: each part has a port of its own.
do_part() {
	part=$1 port=$((PORT + ${1##*.}))
	shift
	for word; do
		shift
		[ "$word" != $PORT ] || word=$port
		set -- "$@" "$word"
	done
	exec "$WORK" fails-calls "$part" "$TRACEFS" "$SONDE" "$@"
}

# do_cases ARGS...: those of $TMP/$run.again, several side by side; judges them.
do_cases() {
	rm -f "$TMP/$run".part.*
	awk -v jobs="$INJECT_JOBS" -v to="$TMP/$run.part." '{ print >(to NR % jobs) }' "$TMP/$run.again"
	going=
	for part in "$TMP/$run".part.*; do
		[ -f "$part" ] || continue
		do_part "$part" "$@" >"$part.said" 2>&1 </dev/null &
		going="$going $!"
		running="$running $!"
	done
	for p in $going; do
		wait "$p"
	done
	running=
	awk -F '\t' -v keep="$keep" -v drop="$drop" -v wanted="$wanted" -f "$here/inject.awk" "$TMP/$run.list" \
		"$TMP/$run".part.*.said >"$TMP/$run.judged" 2>&1
}

# pick NAME: of all its cases those that are to be done now.
pick() {
	if [ "$LONG" = 2 ] || [ -n "$INJECT" ]; then
		grep -E -e "${INJECT_ONLY:-.}" "$TMP/$1.all"
	elif [ "$LONG" = 0 ]; then
		grep -E "$(printf '\t(m bpf 0|m perf_event_open|m openat [^ ]*(format|README)|m pipe2|m write <memfd:out|m clone)' | cut -c 2-)" \
			"$TMP/$1.all" | awk 'NR % 8 == 1' | head -n 24
	else
		awk -F '\t' -v seen="$TMP/seen.${1##*-}" '
			BEGIN { while ((getline line <seen) > 0) old[line]; close(seen) }
			$2 != 1 || $1 in old { next }
			{ print; new[$1] }
			END { for (key in new) if (!(key in old)) print key >>seen }' "$TMP/$1.all"
	fi
}

touch "$TMP/unlisted"
runs >"$TMP/runs"
while IFS=$tab read -r name long engines keep drop wanted arguments; do
	for engine in $engines; do
		case " $INJECT " in
		*" $name-$engine "*) ;;
		*)
			[ -z "$INJECT" ] || continue
			[ "$LONG" -ge "$long" ] || continue
			case $LONG$engine in 0perf | 0ftrace) continue ;; esac
			;;
		esac
		eval "set -- $arguments"
		tool=$1
		shift
		[ "$engine" = - ] || set -- --backend "$engine" "$@"
		inject "$name" "$engine" "$keep" "$drop" "$wanted" "$tool" "$@" </dev/null
	done
done <"$TMP/runs"
sort -u "$TMP/unlisted" >"$TMP/without"
: >"$TMP/none"
same all-calls-have-errors "$TMP/none" "$TMP/without"
clean left
quiet kernel-log
