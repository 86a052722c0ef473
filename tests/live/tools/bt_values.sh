# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# bt: bytes and letters of texts, counters, raw tracepoints, args of several tracepoints, signals, memory of the kernel.
. "${0%/*}/../lib.sh"

for b in $ENGINES; do
	# Bytes and letters of what is written.
	if has_event syscalls sys_enter_write; then
		if start_or_skip bytes-$b "$(absences $b)|only BPF programs|kernels before 5.2 take" s bt --backend $b -q -e \
			't:syscalls:sys_enter_write /args.count == 12 && comm == "dd"/ {
				printf("%r|%rx|%rh|%r|\n", buf(args.buf, args.count), buf(args.buf, 2), buf(args.buf, 3), buf(args.buf, 0));
				$t = str(args.buf);
				printf("%d %d %d %d %d\n", strlen($t), strcontains($t, "lo"), strstr($t, "two"), strstr($t, "twa"),
					strcontains($t, "a longer text than this one is at all"));
				@[buf(args.buf, args.count)] = count();
			}'; then
			printf 'hello\ttwo\0\033\n' | dd bs=12 count=1 2>/dev/null >/dev/null
			stop s && equal bytes-ends-$b 0 "$STATUS"
			printf '%s\n' 'hello\x09two\x00\x1b\x0a|\x68\x65|68 65 6c||' '9 1 6 -1 0' '' '' '@[hello\x09two\x00\x1b\x0a]: 1' >"$TMP/wanted"
			same bytes-$b "$TMP/wanted" "$TMP/s.out"
		fi
	fi

	# The length of a map: entries that probes make, make again and delete.
	if has_event syscalls sys_enter_read; then
		if start_or_skip length-$b "$(absences $b)" s bt --backend $b -q -e \
			'BEGIN { @a[1] = 1; @a[2] = 1; } t:syscalls:sys_enter_read /args.count == 30011/ {
				@n = count(); @a[3] = @n; @a[1] = 2; @a[10 + @n] = 1; delete(@a[2]); printf("%d\n", len(@a));
			} END { print(len(@a)); clear(@a); clear(@n); }'; then
			dd if=/dev/zero of=/dev/null bs=30011 count=3 2>/dev/null
			stop s && equal length-ends-$b 0 "$STATUS"
			equal length-$b '3 4 5 5' "$(xargs <"$TMP/s.out")"
		fi
	fi

	# Records, in variables, keys and values.
	if has_event syscalls sys_enter_read; then
		if start_or_skip records-$b "$(absences $b)" s bt --backend $b -q -e \
			't:syscalls:sys_enter_read /args.count == 30019/ {
				$r = (fd=args.fd, who=(name=comm, n=args.count)); @last[tid] = (n=$r.who.n + 1, name=comm);
				if (@last[tid].name == $r.who.name) { @[(n=@last[tid].n, name=$r.who.name), $r.fd] = count(); }
			} END { clear(@last); }'; then
			dd if=/dev/zero of=/dev/null bs=30019 count=3 2>/dev/null
			stop s && equal records-ends-$b 0 "$STATUS"
			equal records-$b '@[{ .n = 30020, .name = dd }, 0]: 3' "$(xargs <"$TMP/s.out")"
		fi
	fi

	# Macros and structs of other files.
	if has_event syscalls sys_enter_read; then
		mkdir -p "$TMP/lib"
		printf 'macro twice(x) { x * 2 }\n' >"$TMP/lib/a.bt"
		printf 'struct whole { int low, high; };\n' >"$TMP/lib/b.h"
		printf '%s\n' 'import "lib"; t:syscalls:sys_enter_read /args.count == 30023/ {' \
			'@[twice(args.count), ((struct whole *)0 + 1)] = count(); }' >"$TMP/main.bt"
		if start_or_skip imports-$b "$(absences $b)" s bt --backend $b -q "$TMP/main.bt"; then
			dd if=/dev/zero of=/dev/null bs=30023 count=3 2>/dev/null
			stop s && equal imports-ends-$b 0 "$STATUS"
			equal imports-$b '@[60046, 0x8]: 3' "$(xargs <"$TMP/s.out")"
		fi
	fi

	# A pattern of tracepoints, each with its own fields: they are at other places in their records.
	if has_event syscalls sys_enter_pread64 && has_event syscalls sys_enter_read; then
		if start_or_skip several-$b "$(absences $b)" s bt --backend $b -q -e \
			't:syscalls:sys_enter_*read* /args.__syscall_nr < 0 || comm == "sonde-none"/ { @[probe] = count(); }
			t:syscalls:sys_enter_rea[d], t:syscalls:sys_enter_w* /args.__syscall_nr >= 0 && comm == "dd"/ { @n[probe] = count(); }'; then
			dd if=/dev/zero of=/dev/null bs=30001 count=200 2>/dev/null
			stop s && equal several-ends-$b 0 "$STATUS"
			contains several-read-$b "$TMP/s.out" '^@n\[tracepoint:syscalls:sys_enter_read\]: 20[0-9]$'
			contains several-write-$b "$TMP/s.out" '^@n\[tracepoint:syscalls:sys_enter_write\]: 20[0-9]$'
		fi
	fi

	# Counters: each context switch of the clock's tasks, where samples can be taken.
	if start_or_skip software-$b "$(absences $b)|ftrace takes no samples|takes no BPF programs on samples" s bt --backend $b -q -e \
		'software:cs:1 /comm == "sleep"/ { @ = count(); @probes[probe, probetype] = count(); }'; then
		for i in $(seq 20); do
			sleep 0.01
		done
		stop s && equal software-ends-$b 0 "$STATUS"
		n=$(sed -n 's/^@: //p' "$TMP/s.out")
		[ "${n:-0}" -ge 20 ]
		equal software-count-$b 0 $?
		contains software-probe-$b "$TMP/s.out" '^@probes\[software:cs:1, software\]: [0-9]+$'
	fi

	# Samples at two rates are two events, of the same clock.
	if start_or_skip rates-$b "$(absences $b)|ftrace takes no samples|takes no BPF programs on samples" s bt --backend $b -q -e \
		'profile:hz:20 { @few = count(); } profile:ms:2 { @many = count(); }
		interval:s:2 { exit(); } END { printf("%d %d\n", @few > 0, @many > 5 * @few); clear(@few); clear(@many); }'; then
		await s && equal rates-ends-$b 0 "$STATUS"
		equal rates-$b '1 1' "$(head -n 1 "$TMP/s.out")"
	fi

	# Raw tracepoints have the same events as the tracepoints have.
	if [ $b = bpf ]; then
		if start_or_skip raw-$b "$(absences $b)|takes no BPF programs on raw|is unknown" s bt --backend $b -q -e \
			'rawtracepoint:sys_exit /comm == "dd"/ { @raw = count(); @positive = sum(arg1 == 30001); }
			t:raw_syscalls:sys_exit /comm == "dd"/ { @event = count(); }
			END { printf("%d %d %d\n", @raw == @event, @raw > 400, @positive); clear(@raw); clear(@event); clear(@positive); }'; then
			dd if=/dev/zero of=/dev/null bs=30001 count=200 2>/dev/null
			stop s && equal raw-ends-$b 0 "$STATUS"
			equal raw-$b '1 1 400' "$(head -n 1 "$TMP/s.out")"
		fi
	fi

	# A signal to a task that is traced.
	if has_event syscalls sys_enter_write; then
		if start_or_skip signal-$b "$(absences $b)|only BPF programs send signals|send no signals" s bt --backend $b -q --unsafe -e \
			't:syscalls:sys_enter_write /args.count == 30007/ { signal("SIGTERM"); @ = count(); }'; then
			dd if=/dev/zero of=/dev/null bs=30007 count=1000000 2>/dev/null
			equal signal-status-$b 143 $?
			stop s
			equal signal-count-$b '@: 1' "$(tail -n 1 "$TMP/s.out")"
		fi
	fi

	# A loop of a probe through a map, which sonde runs when the record has come.
	if has_event syscalls sys_enter_read; then
		if start_or_skip loop-$b "$(absences $b)" s bt --backend $b -q -e \
			't:syscalls:sys_enter_read /args.count == 30013/ { @n[args.count, comm]++; @last[args.count] = args.fd + 1; }
			t:syscalls:sys_enter_read /args.count == 30017/ {
				for ($kv : @n) { $twice = 2 * $kv.1; if ($twice > 2) { printf("%d %s %d %d\n", $kv.0.0, $kv.0.1, $twice, @last[$kv.0.0]); } }
				clear(@n); clear(@last); exit();
			}'; then
			dd if=/dev/zero of=/dev/null bs=30013 count=3 2>/dev/null
			dd if=/dev/zero of=/dev/null bs=30017 count=1 2>/dev/null
			await s && equal loop-ends-$b 0 "$STATUS"
			equal loop-$b '30013 dd 6 1' "$(xargs <"$TMP/s.out")"
		fi
	fi

	# Addresses of symbols of the probed file, which say where it was loaded.
	for program in "$WORK" $WORK32; do
		name=symbols-$b
		case ${program##*/}/$(uname -m) in
		work32/aarch64) continue ;;	# can't be probed there
		work32/*) name=symbols-32-$b ;;
		esac
		load w "$program" chain 20
		if start_or_skip $name "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
			"u:$program:chain_outer { @inner = (uint64)uaddr(\"chain_inner\"); @outer = (uint64)reg(\"ip\"); }
			u:$program:chain_inner { @[@inner == reg(\"ip\"), (uint64)uaddr(\"chain_inner\") == @inner,
				(uint64)uaddr(\"chain_outer\") == @outer] = count(); }
			END { clear(@inner); clear(@outer); }"; then
			go w
			stop s && equal $name-ends 0 "$STATUS"
			equal $name '@[true, true, true]:' "$(sed 's/ [1-9][0-9]*$//' "$TMP/s.out" | xargs)"
		else
			go w
		fi
		load w "$program" chain 20
		if start_or_skip $name-value "$(absences $b)|only BPF programs|are told whether" s bt --backend $b -q -p "$(pid w)" -e \
			"u:$program:chain_inner { @[*uaddr(\"_IO_stdin_used\")] = count(); }"; then
			go w
			stop s
			equal $name-value '@[131073]:' "$(sed 's/ [1-9][0-9]*$//' "$TMP/s.out" | xargs)"
		else
			go w
		fi
	done
done

for e in "u:$WORK:chain_inner no.symbol" "ur:$WORK:chain_inner a.return.does.not" "u:$WORK:chain_* several.functions"; do
	"$SONDE" bt -q -e "${e% *} { print(uaddr(\"sonde_none\")); }" >"$TMP/got" 2>&1
	contains "symbol-wrong-${e#* }" "$TMP/got" "${e#* }|can.t be probed|takes no BPF programs"
done

# The first value of ?: is computed once.
"$SONDE" bt -q -e 'BEGIN { $x = 1; $y = $x++ ?: 3; $z = @n++ ?: 5; print(($x, $y, $z, @n, 0 ?: 7)); exit(); }' \
	>"$TMP/got" 2>&1
contains once "$TMP/got" '^\(2, 1, 5, 1, 7\)$'

# Stages of bpftrace: those that have instructions.
"$SONDE" bt -d codegen,dis -e 't:sched:sched_switch { @ = count(); }' >"$TMP/got" 2>&1
contains stage "$TMP/got" '^ *[0-9]+: \([0-9a-f]+\) exit'
"$SONDE" bt -d verifier -e 't:sched:sched_switch { @ = count(); }' >"$TMP/got" 2>&1
equal stage-none-ends 2 $?
contains stage-none "$TMP/got" 'sonde has no stage verifier: it has the passes import, '
"$SONDE" bt -d ast -e 'BEGIN { $x = pid + 1; }' >"$TMP/got" 2>&1
cat >"$TMP/want" <<-'END'
BEGIN
  =
    variable: $x
    +
      name: pid
      number: 1
BEGIN
  =
    variable: $x
    + :: unsigned long
      input: tgid :: unsigned long
      number: 1 :: unsigned long
END
same stage-trees "$TMP/want" "$TMP/got"

# Accesses to memory, which the debug registers of the CPU tell.
"$SONDE" bt -q -e 'watchpoint:0x1000:8:w { } interval:ms:1 { exit(); }' >"$TMP/got" 2>"$TMP/err"
case $? in
0) same watch /dev/null "$TMP/err" ;;
*) contains watch "$TMP/err" 'accesses to 8 bytes at 0x1000|ftrace takes no samples' ;;
esac

# Other files than standard output; scripts that are only read; what there is to probe.
"$SONDE" bt -q -o "$TMP/file.out" -e 'BEGIN { printf("text\n"); @ = 1; }' >"$TMP/got" 2>"$TMP/err"
equal output-ends 0 $?
printf 'text\n\n\n@: 1\n' >"$TMP/wanted"
same output "$TMP/wanted" "$TMP/file.out"
equal output-else '' "$(cat "$TMP/got" "$TMP/err")"
"$SONDE" bt -q -o "$TMP/none/file" -e 'BEGIN { }' >"$TMP/got" 2>"$TMP/err"
equal output-wrong-ends 1 $?
contains output-wrong "$TMP/err" "^ERROR: can't write into '$TMP/none/file': No such file or directory$"
"$SONDE" bt --dry-run --no-warnings -k -e 'BEGIN { printf("text\n"); } t:no:such, END { }' >"$TMP/got" 2>"$TMP/err"
equal dry 0 $?
equal dry-said '' "$(cat "$TMP/got" "$TMP/err")"
"$SONDE" bt --info >"$TMP/got" 2>&1
contains info "$TMP/got" "^  OS: Linux $(uname -r | sed "s/[+.]/[&]/g") "
"$SONDE" bt -l 'software:page*,*ware:cpu-c*,interval:*' >"$TMP/got" 2>&1
printf '%s\n' software:page-faults: software:cpu-clock: hardware:cpu-cycles: interval:hz: interval:ms: interval:s: interval:us: >"$TMP/wanted"
same lists "$TMP/wanted" "$TMP/got"

# SIGUSR1 to sonde itself.
start s bt -q -e 'self:signal:SIGUSR1 { @++; printf("got %d\n", @); } interval:s:60 { exit(); }'
kill -USR1 "$(pid s)"
for i in $(seq 100); do
	grep -q '^got 1$' "$TMP/s.out" && break
	sleep 0.1
done
stop s
equal self "got 1 @: 1" "$(grep . "$TMP/s.out" | xargs)"
"$SONDE" bt -q -e 'self:signal:SIGUSR1 { @ = 1; } interval:s:60 { exit(); }' -c "$(command -v grep) SigBlk /proc/self/status" >"$TMP/got" 2>"$TMP/err"
contains self-command "$TMP/got" '^SigBlk:.0*$'

# The command's process is known before it runs.
echo 'echo $$' >"$TMP/command"
"$SONDE" bt -q -e 'BEGIN { printf("%d %d\n", cpid, has_cpid); } interval:s:60 { exit(); }' -c "$(command -v sh) $TMP/command" >"$TMP/got" 2>"$TMP/err"
equal command-ends 0 $?
equal command-process "$(sed -n 's/^\([1-9][0-9]*\)$/\1/p' "$TMP/got") 1" "$(grep ' 1$' "$TMP/got")"

# Memory of the kernel in an interval, where /proc/kcore may be read.
if head -c 64 /proc/kcore >/dev/null 2>&1 && grep -q ' jiffies_64$' /proc/kallsyms; then
	"$SONDE" bt -q -e 'BEGIN { @first = jiffies; @same = *kaddr("jiffies_64") - @first < 100; }
		interval:ms:500 { @ticks = jiffies - @first; exit(); } END { printf("%d %d\n", @same, @ticks >= 40 && @ticks < 5000); }' \
		>"$TMP/got" 2>"$TMP/err"
	equal memory-ends 0 $?
	equal memory '1 1' "$(head -n 1 "$TMP/got")"
else
	skip memory "/proc/kcore can't be read here, or kallsyms has no data"
fi
"$SONDE" bt -q -e 'BEGIN { print(kaddr("sonde_has_no_such_symbol")); }' >"$TMP/got" 2>"$TMP/err"
equal symbol-ends 1 $?
said='where the kernel has `sonde_has_no_such_symbol` is unknown: .*CONFIG_KALLSYMS_ALL'
! grep -q ' init_task$' /proc/kallsyms || said='the kernel has no symbol `sonde_has_no_such_symbol`'
contains symbol "$TMP/err" "$said"

# As many texts as a printf() takes, each of the longest kind.
awk 'BEGIN {
	for (i = 0; i < 190; i++) text = text "x"
	for (i = 0; i < 120; i++) { form = form "%s"; list = list ", @s" }
	printf "BEGIN { @s = \"%s\"; printf(\"%s\\n\"%s); clear(@s); exit(); }\n", text, form, list
}' >"$TMP/many.bt"
"$SONDE" bt -q "$TMP/many.bt" >"$TMP/got" 2>"$TMP/err"
equal many-texts-ends 0 $?
equal many-texts 22801 "$(head -1 "$TMP/got" | wc -c)"

# Values of BEGIN.
"$SONDE" bt -q -e 'BEGIN { printf("%s %s %d %d %d\n", probetype, signal_name(15), strlen(comm), strstr(comm, "nde"), rand < 4294967296);
	print(cgroup_path(0xffffffffffff)); }' >"$TMP/got" 2>"$TMP/err"
equal own "special Terminated 5 2 1 281474976710655" "$(xargs <"$TMP/got")"

# Members of what a function returned (its new name is 7.2's), which is an error's number 5 times: programs at typed functions load
# them.
case " $ENGINES " in
*" bpf "*)
	if start_or_skip result "$(absences bpf)|no kprobes|no BTF|is unknown here|only BPF programs" s bt --backend bpf -q -e \
		'kretprobe:do_filp_open, kretprobe:do_file_open /comm == "dd"/ {
			$f = (struct file *)retval; $mode = $f->f_flags & 3;
			@modes = lhist($f->f_flags & 3, 0, 4, 1);
			if ($mode == 1) { @written = count(); }
		}'; then
		for _ in 1 2 3 4 5; do
			dd if="$TMP/none" bs=1 count=1 >/dev/null 2>&1
			dd if=/dev/zero of="$TMP/one" bs=1 count=1 2>/dev/null
		done
		stop s && equal result-ends 0 "$STATUS"
		contains result-written "$TMP/s.out" '^@written: 5$'
		contains result-modes "$TMP/s.out" '^[[]1]  *5 '
		contains result-failures "$TMP/s.err" '^sonde: bt: 10 values could not be read or computed'
	fi
	;;
esac

# A struct of the kernel's, by its type information, which has to be there as long as it is shown.
case " $ENGINES " in
*" bpf "*)
	if has btf; then
		"$SONDE" bt -q --backend bpf -e 'tracepoint:sched:sched_process_exit { print(curtask->se.load); }' \
			-c "$(command -v true)" >"$TMP/got" 2>"$TMP/err"
		equal struct-ends 0 $?
		contains struct "$TMP/got" '^[{] .weight = [0-9]*, .inv_weight = [0-9]* [}]$'
	else
		skip struct "this kernel has no BTF"
	fi
	;;
esac
