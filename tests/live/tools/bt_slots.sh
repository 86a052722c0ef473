# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# bt: maps whose entries are in slots of arrays (src/bt/emit/slots.h), with keys that share slots; fields that typed
# tracepoints tell.
. "${0%/*}/../lib.sh"

# More keys than slots; -1, which takes none; numbers of the script, of which 7 and 2591 lead to one slot; keys of several words. Each key is looked up again after 100 others.
for b in $ENGINES; do
	has_event syscalls sys_enter_read || break
	start_or_skip keys-$b "$(absences $b)|only BPF programs" s bt --backend $b -q --buffer-pages 1024 -e \
		't:syscalls:sys_enter_read /args.count == 30047/ {
			$i = @next[0]; @next[0] = $i + 1;
			@one[$i * 977 - 1] = $i; @two[$i, $i % 7] = $i; @added[$i / 2 - 1] += 2;
			@counts[$i % 5000 - 1] = count(); @words[$i % 5000, comm] = count(); @rows[$i % 500] = hist($i % 8);
			@known[7] = count(); @known[2591] = count(); @known[-1] = count(); @known[0x123456789abcd] = count();
			@all = count(); @one_hist = hist($i % 8); @steps = lhist($i % 8, 0, 4, 2);
			if ($i >= 100) {
				$o = $i - 100;
				if (@one[$o * 977 - 1] != ($o % 2 ? 0 : $o)) { @wrong = count(); }
				if (has_key(@one, $o * 977 - 1) != ($o % 2 == 0)) { @wrong_key = count(); }
				if (@two[$o, $o % 7] != ($o % 3 ? $o : 0)) { @wrong_words = count(); }
				if ($o % 5 == 0 && delete(@one[$o * 977 - 1]) != ($o % 2 == 0)) { @wrong_delete = count(); }
			}
			if ($i % 2) { delete(@one[$i * 977 - 1]); }
			if ($i % 3 == 0) { delete(@two[$i, $i % 7]); }
		} END {
			$counts = 0; $words = 0; $added = 0;
			for ($kv : @counts) { $counts += $kv.1; }
			for ($kv : @words) { $words += $kv.1; }
			for ($kv : @added) { $added += $kv.1; }
			for ($kv : @known) { printf("%ld %d ", $kv.0, $kv.1); }
			delete(@one[5998 * 977 - 1]);
			printf("%d %d %d %d %d %d\n", len(@one), len(@two), len(@added), len(@counts), len(@words), len(@rows));
			printf("%d %d %d %d %d\n", $counts, $words, $added, @two[5999, 0], @one[5996 * 977 - 1]);
			clear(@one); clear(@two); clear(@added); clear(@counts); clear(@words); clear(@next); clear(@rows); clear(@known);
		}' || continue
	dd if=/dev/zero of=/dev/null bs=30047 count=6000 2>/dev/null
	stop s && equal keys-ends-$b 0 "$STATUS"
	# Of the even numbers those below 5900 that end with 0 are deleted, and 5998.
	grep -v '^$' "$TMP/s.out" | sed 's/ *|.*//' | tr -s ' ' >"$TMP/lines"
	equal keys-$b "-1 6000 7 6000 2591 6000 320255973501901 6000 2409 4000 3000 5000 5000 500 6000 6000 12000 5999 5996 @all: 6000" "$(head -n 3 "$TMP/lines" | xargs)"
	sed '1,3d' "$TMP/lines" >"$TMP/got"
	printf '%s\n' '@one_hist:' '[0] 750' '[1] 750' '[2, 4) 1500' '[4, 8) 3000' '@steps:' '[0, 2) 1500' '[2, 4) 1500' \
		'[4, ...) 3000' >"$TMP/wanted"
	same keys-hists-$b "$TMP/wanted" "$TMP/got"
done

# What a typed tracepoint tells, and what records have, of the same switches: sleeps, and the end.
if has_event sched sched_switch; then
	case " $ENGINES " in
	*" bpf "*)
		switches='t:sched:sched_switch /args.prev_comm == "sonde-switch"/ { @[args.prev_comm, args.prev_state & 255] = count(); }'
		if start_or_skip states "$(absences bpf)|no BTF|kernels before" s bt --backend bpf -q -e "$switches" &&
			start_or_skip states-records "$(absences bpf)|no BTF|kernels before" r bt --backend bpf --without tp_btf -q -e "$switches"; then
			"$WORK" -c sonde-switch sleeps 20 >/dev/null
			stop s && stop r
			same states "$TMP/r.out" "$TMP/s.out"
			# A timer that expires before the task has switched saves it the sleep.
			contains states-sleeps "$TMP/s.out" '^@[[]sonde-switch, 1]: (1[5-9]|[2-9][0-9])$'
		fi
		;;
	esac
fi
