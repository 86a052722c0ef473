# SPDX-License-Identifier: GPL-2.0
#
# capable: each check of a known workload is one row, on every engine; whether it is audited, as far as the kernel tells.
. "${0%/*}/../lib.sh"

# The rows that sonde should have for what the workload said: pid tid cap. Without kprobes nobody tells checks that are
# audited from those the kernel makes all the time, for CAP_SYS_ADMIN.
wanted_rows() { awk -F '\t' -v OFS='\t' -v all="$2" '$1 == "cap" && (all || $5 != 21) { print $2, $3, $5 }' "$1"; }

for b in $ENGINES; do
	load w "$WORK" -c 'k\x0a"' checks 20
	reasons=$(absences $b)
	has_kprobes || has_event capability cap_capable || reasons="$reasons${reasons:+|}this kernel has no kprobes, for cap_capable"
	start_or_skip rows-$b "$reasons" s capable --backend $b --json -x -p "$(pid w)" || { go w; continue; }
	start v capable --backend $b --json -v -p "$(pid w)"
	start u capable --backend $b --json --unique -p "$(pid w)"
	start t capable --backend $b -p "$(pid w)"
	start k capable --backend $b --json -x -K -U -p "$(pid w)"
	start x capable --backend $b -x -p "$(pid w)"
	go w
	for i in s v u t x k; do
		stop $i && equal ends-$i-$b 0 "$STATUS"
	done
	grep -q '"cap.check.opts"' "$TMP/s.out" && told= || told=1
	if [ -z "$told" ] && has_kprobes && ! "$SONDE" capable --backend $b --dump | grep -q 'cap.check: tracepoint'; then
		case $(uname -m) in
		i?86) ;;	# the argument is on the stack
		*) fail told-$b "whether checks are audited should be known here" ;;
		esac
	fi
	wanted_rows "$TMP/w.said" $told >"$TMP/wanted"
	fields "$TMP/s.out" pid tid cap | awk -F '\t' -v all=$told 'all || $3 != 21' >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	fields "$TMP/k.out" pid tid cap kernel_stack | awk -F '\t' -v OFS='\t' -v all=$told '
		(all || $3 != 21) && $4 ~ /;cap_capable$/ { print $1, $2, $3 }' >"$TMP/got"
	same stacks-$b "$TMP/wanted" "$TMP/got"
	equal names-$b "CAP_SETUID CAP_SYS_ADMIN CAP_SYS_BOOT" "$(fields "$TMP/s.out" name | sort -u | xargs)"
	[ $b = bpf ] && uid=0 || uid=-
	equal who-$b "$uid	k\\x0a\"" "$(fields "$TMP/s.out" uid comm | sort -u)"
	printf '21\n22\n7\n' >"$TMP/wanted"
	fields "$TMP/u.out" cap | sort >"$TMP/got"
	same unique-$b "$TMP/wanted" "$TMP/got"
	if [ -n "$told" ]; then
		equal audited-$b 1 "$(fields "$TMP/s.out" audit | sort -u)"
		# What is not audited is asked for a seccomp filter.
		if grep -q '^Seccomp:' /proc/self/status; then
			between all-$b 20 "$(fields "$TMP/v.out" audit | grep -c 0)" 100
		else
			skip all-$b "this kernel has no seccomp"
		fi
		equal all-audited-$b 60 "$(fields "$TMP/v.out" audit | grep -c 1)"
		# Since 5.1 the kernel tells; which of its calls say so has changed.
		case $(fields "$TMP/s.out" cap insetid | cut -f 2 | sort -u | xargs) in
		- | "0 1") pass insetid-$b ;;
		*) fail insetid-$b "$(fields "$TMP/s.out" cap insetid | sort -u)" ;;
		esac
		audit=1
	else
		equal audited-$b "-	-" "$(fields "$TMP/s.out" cap audit insetid | cut -f 2,3 | sort -u)"
		audit=-
	fi
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	equal head-$b "TIME      UID    PID    COMM             CAP  NAME                 AUDIT" "$(head -n 1 "$TMP/t.out")"
	contains text-$b "$TMP/t.out" "^[0-9:]{8}  $uid      $(printf %-6s "$(pid w)") k\\\\n\" +22   CAP_SYS_BOOT         $audit\$"
	equal head-x-$b "TIME      UID    PID    TID    COMM             CAP  NAME                 AUDIT  INSETID" \
		"$(head -n 1 "$TMP/x.out")"
done

clean left
quiet kernel-log
