# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Types in questions: members of structs that a file declares (-I), of the kernel's own that its type information tells,
# and what is said where nobody tells them.
. "${0%/*}/../lib.sh"
structs=$LIVE/work/structs.h

# A program's own machine says where arguments are, and how large a long is: also that of a 32-bit program.
for b in $ENGINES; do
	for p in "$WORK" $WORK32; do
		p=$(readlink -f "$p")
		name=${p##*/}
		case $name/$(uname -m) in
		work32/aarch64) continue ;;	# can't be probed there
		work/armv* | work/i?86 | work32/*) size=4 ;;
		*) size=8 ;;
		esac
		load w "$p" structs 2
		if start_or_skip wide-$name-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
			"$p:take_wide(int a, unsigned b, long long c, short d, long e) (d == -3) \"%d %u %llx %d %ld %d %x\", a, b, c, d, e, sizeof(e), arg3 >> 32"; then
			start f funccount --backend $b --json -p "$(pid w)" "$p:take_*"
			can_return=
			case $(uname -m) in
			armv*) ;;
			*) start_or_skip returns-$name-$b "$(absences $b)" r trace --backend $b --json -p "$(pid w)" \
				"r:$p:take_wide \"%llx\", (long long)retval" && can_return=y ;;
			esac
			go w
			stop s
			stop f
			fields "$TMP/s.out" message | sed 's/.x20/ /g' >"$TMP/got"
			printf -- '-7 4000000000 1122334455667788 -3 %s %s 11223344\n' 0 $size -1 $size >"$TMP/wanted"
			same wide-$name-$b "$TMP/wanted" "$TMP/got"
			fields "$TMP/f.out" func count | sort >"$TMP/got"
			printf 'take_sample\t2\ntake_wide\t2\n' >"$TMP/wanted"
			same counts-$name-$b "$TMP/wanted" "$TMP/got"
			if [ -n "$can_return" ]; then
				stop r
				fields "$TMP/r.out" message >"$TMP/got"
				printf '11223345%x\n' $((0x55667788 + 4000000000 - 7 - 3 - 0x100000000)) \
					$((0x55667788 + 4000000000 - 7 - 3 - 1 - 0x100000000)) >"$TMP/wanted"
				same returns-$name-$b "$TMP/wanted" "$TMP/got"
			fi
		else
			go w
		fi
	done
done

# A library that programs of both kinds have: values are of those whose types are meant, and who is left out is said.
if [ -n "$WORK32" ] && [ "$(uname -m)" = x86_64 ]; then
	mkdir "$TMP/wide" "$TMP/narrow"
	"$WORK" library "$TMP/wide/libboth.so" && "$WORK32" library "$TMP/narrow/libboth.so"
	"$WORK" maps "$TMP/wide/libboth.so" >"$TMP/wide/said" 2>&1 &
	wide=$!
	"$WORK32" maps "$TMP/narrow/libboth.so" >"$TMP/narrow/said" 2>&1 &
	narrow=$!
	running="$running $wide $narrow"
	wait_for 10 grep -q mapped "$TMP/wide/said"
	wait_for 10 grep -q mapped "$TMP/narrow/said"
	printf '%s\n' $wide $narrow | sort >"$TMP/wanted"
	for b in $ENGINES; do
		if start_or_skip both-$b "$(absences $b)" s trace --backend $b --json 'both:getaddrinfo(long a) "%ld", sizeof(a)' \
			&& start c trace --backend $b --json both:getaddrinfo; then
			sleep 1
			stop s
			stop c
			equal both-$b 8 "$(fields "$TMP/s.out" message | sort -u)"
			contains both-said-$b "$TMP/s.err" 'getaddrinfo.. of 32-bit programs is left out'
			# Of 32 bits it may be left out: then it is said.
			! grep -q 'narrow/libboth.so:getaddrinfo is not probed: .* damage' "$TMP/c.err" || echo $wide >"$TMP/wanted"
			fields "$TMP/c.out" pid | sort -u >"$TMP/got"
			same both-counts-$b "$TMP/wanted" "$TMP/got"
		fi
	done
	kill $wide $narrow
fi

case " $ENGINES " in
*" bpf "*)
	for p in "$WORK" $WORK32; do
	p=$(readlink -f "$p")
	case ${p##*/}/$(uname -m) in work32/aarch64) continue ;; esac
	load w "$p" structs 3
	if start_or_skip members-${p##*/} "$(absences bpf)" s trace --backend bpf --json -I "$structs" -p "$(pid w)" \
		"$p:take_sample(struct sample *s, long i) \"%d %d %d %d %d %d %d\", s->a, s->b, s->c, s->tiny, s->s, s->color, s->yes + 2 * s->no" \
		"$p:take_sample(struct sample *s, long i) (i == 1) \"%s %d %d %x %x %d\", s->name, s->row[3], s->grid[1][1], s->u.first, s->u.second, s->inner.low" \
		"$p:take_sample(struct sample *s, long i) \"%d %d %s\", s->row[i], s->list[i]->color == BLUE, s->list[i]->name" \
		"$p:take_sample(struct sample *s, long i) (i == 2 && s->next->color < 0 && !STRCMP(\"x\", s->next->name)) \"%d %llx %s %d %llx %d\", s->outer->low, s->outer->high, s->next->name, s->packed.flag, s->packed.far, s->packed.part" \
		"$p:take_sample(struct sample *s, long i) (i == 0) \"%d %d %d %d %d %d\", sizeof(struct sample), sizeof(s->grid), FIRST, *(&s->row[0] + 2), (s->list + 1)[0]->row[1], ((struct sample *)arg1)->next->s" \
		"$p:take_sample(struct sample *s, long i) (i == 1) \"%S %S %S\", s->inner, s->grid, s->outer"; then
		go w
		stop s
		size=$(awk '/^structs/ { print $4 }' "$TMP/w.said")
		fields "$TMP/s.out" message | sed "s/.x20/ /g" | sort >"$TMP/got"
		sort >"$TMP/wanted" <<-WANTED
			5 300 777777 -9 -33 4 1
			5 300 777777 -9 -33 4 1
			5 300 777777 -9 -33 4 1
			abcdefghijkl 65535 -5 1234 5678 -7
			10 0 abcdefghijkl
			11 1 second
			12 (fault) (fault)
			-5 1122334455667788 second 120 8877665544332211 99999
			$size 24 49 12 21 -1
			{ .low = -7, .high = 8 } [[1,2,3],[4,-5,6]] { .low = -5, .high = 1234605616436508552 }
		WANTED
		same members-${p##*/} "$TMP/wanted" "$TMP/got"
		equal lost-${p##*/} 0 "$(reported "$TMP/s.out" lost)"
	else
		go w
	fi
	done

	# A header of the kernel's source, by bcc's name for it.
	if has btf && has_event sched sched_process_exit; then
		load w "$WORK" noop
		start_or_skip source "$(absences bpf)" s trace --backend bpf --json -s a,b -I linux/fs.h -p "$(pid w)" \
			't:sched:sched_process_exit "%d", $task->pid == args->pid' && { go w; stop s; } || go w
		equal source 1 "$(fields "$TMP/s.out" message)"
		contains source-said "$TMP/s.err" '-I linux/fs.h is not read: type information .BTF. has'
		contains symbols-said "$TMP/s.err" '-s is not needed'
	fi

	# argdist counts by members.
	load w "$WORK" structs 6
	if start_or_skip counts "$(absences bpf)" s argdist --backend bpf --json -I "$structs" -p "$(pid w)" -d 3600 -i 3600 \
		-C "p:$WORK:take_sample(struct sample *s, long i):u16,char*:s->row[i],s->name#x"; then
		go w
		stop s
		equal counts 3 "$(grep -cE '"count":2,"event":"s->row\[i\] = 1[012], s->name = abcdefghijkl"' "$TMP/s.out")"
	else
		go w
	fi

	# The kernel's type information: of the task, behind pointers, and of functions' arguments without a signature.
	if has btf && has_event sched sched_process_exit; then
		load w "$WORK" noop
		start_or_skip task "$(absences bpf)" s trace --backend bpf --json -p "$(pid w)" \
			't:sched:sched_process_exit "%d %s %d %d", $task->pid, $task->comm, $task->real_parent->tgid, $task->pid == args->pid' &&
			{ go w; stop s; } || go w
		fields "$TMP/s.out" message | sed "s/.x20/ /g" >"$TMP/got"
		echo "$(pid w) work $$ 1" >"$TMP/wanted"
		same task "$TMP/wanted" "$TMP/got"
	else
		skip task "no BTF here"
	fi
	if has btf && has kprobes; then
		load w "$WORK" sleeps 3
		if start_or_skip prototype "$(absences bpf)" s trace --backend bpf --json -p "$(pid w)" \
			'hrtimer_nanosleep "%d %d", mode == HRTIMER_MODE_REL, clockid'; then
			go w
			stop s
			equal prototype 3 "$(grep -cE '"message":"1 [01]"' "$TMP/s.out")"
		else
			go w
		fi
	else
		skip prototype "no kprobes or no BTF here"
	fi

	# A struct that only a module has, and a function of that module.
	modprobe loop 2>/dev/null
	if has btf && has_kprobes && [ -e /sys/kernel/btf/loop ] && disk module; then
		if start_or_skip module "$(absences bpf)" s trace --backend bpf --json -n losetup \
			'lo_ioctl "%d %d", ((struct loop_device *)bdev->bd_disk->private_data)->lo_number, cmd'; then
			losetup "$DISK" >/dev/null 2>&1
			stop s
			fields "$TMP/s.out" value1 | sort -u >"$TMP/got"
			echo "${DISK#/dev/loop}" >"$TMP/wanted"
			same module "$TMP/wanted" "$TMP/got"
		fi
	elif has btf && has_kprobes && grep -q '\[loop\]$' /proc/kallsyms; then
		"$SONDE" trace --dump 'vfs_read(struct loop_device *l) "%d", l->lo_number' >"$TMP/out" 2>"$TMP/module"
		equal module-unknown 2 $?
		contains module-unknown-said "$TMP/module" 'members of struct loop_device are not known'
	else
		skip module "no kprobes, no BTF or no such module here"
	fi
	;;
esac

# What the rings can't have (members, since 4.20) is said with its place, and what nobody knows.
for b in perf ftrace; do
	case " $ENGINES " in *" $b "*)
		if has fetch-zero; then
			load w "$WORK" structs 3
			start_or_skip ring-$b "$(absences $b)" s trace --backend $b --json -I "$structs" -p "$(pid w)" \
				"$WORK:take_sample(struct sample *s) \"%d\", s->a" || { go w; continue; }
			go w
			stop s
			equal ring-$b '5 5 5' "$(fields "$TMP/s.out" message | xargs)"
			continue
		fi
		"$SONDE" trace --backend $b -I "$structs" "$WORK:take_sample(struct sample *s) \"%d\", s->a" 2>"$TMP/refused"
		equal ring-$b 1 $?
		contains ring-caret-$b "$TMP/refused" '^ +\^$'
	esac
done
"$SONDE" trace "$WORK:take_sample(struct sample *s) \"%d\", s->a" 2>"$TMP/unknown"
equal unknown 2 $?
contains unknown-way-out "$TMP/unknown" 'members of struct sample are not known: -I FILE.h'
printf 'struct sample {\n\tfoo_t x;\n};\n' >"$TMP/wrong.h"
"$SONDE" trace -I "$TMP/wrong.h" "$WORK:take_sample(struct sample *s) \"%d\", s->x" 2>"$TMP/wrong"
equal wrong 2 $?
contains wrong-line "$TMP/wrong" 'wrong.h:2: this is no type that is known here'
# Nobody writes into it.
mkfifo "$TMP/fifo"
for option in -I --btf; do
	timeout 20 "$SONDE" trace $option "$TMP/fifo" "$WORK:take_sample(struct sample *s) \"%d\", s->x" 2>"$TMP/fifo.err"
	equal "fifo$option" 2 $?
	contains "fifo$option-why" "$TMP/fifo.err" 'this is no regular file'
done
clean left
quiet kernel-log
