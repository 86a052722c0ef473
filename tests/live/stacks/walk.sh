# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# BPF programs that walk the frames by themselves, where the kernel has no maps of stacks: the same rows as with them, and
# as perf has; a stack that is too long says so; what can't be walked is refused.
. "${0%/*}/../lib.sh"

case " $ENGINES " in *' bpf '*) ;; *) skip walk 'the bpf engine is not asked for here'; exit 0 ;; esac
has bpf || { skip walk "$(why bpf)"; exit 0; }
# Programs walk on these machines only.
unwalked=$(case $(uname -m) in x86_64 | aarch64 | i?86) ;; *) echo 'no BPF maps of stacks' ;; esac)
without=
! has bpf-stacks || without='--without bpf-stacks'

# other ID ARGS...: the same by other means: get_stackid, or perf.
other() {
	id=$1
	shift
	if has bpf-stacks; then
		start "$id" "$@" --backend bpf
	else
		start_or_skip "$id-perf" "$(absences perf)" "$id" "$@" --backend perf
	fi
}
folded() { grep ';' "$1" | sort; }
# From the program's first function with a frame.
frames() { folded "$1" | sed -n 's/^.*;\(main;.*\)$/\1/p'; }

# User space, by a probe in it.
load w "$WORK" chain 1000
if start_or_skip user "$(absences bpf)|Thumb code|$unwalked" s stackcount --backend bpf $without -f -p "$(pid w)" "$WORK:chain_inner"; then
	other o stackcount -f -p "$(pid w)" "$WORK:chain_inner" && both=1 || both=
	go w
	stop s && equal user-ends 0 "$STATUS"
	[ -z "$both" ] || stop o
	folded "$TMP/s.out" >"$TMP/walked"
	contains user "$TMP/walked" '^work;.*;main;job_chain;chain_outer;chain_inner [0-9]+$'
	equal user-one 1 "$(wc -l <"$TMP/walked" | tr -d ' ')"
	if [ -n "$both" ]; then
		frames "$TMP/s.out" >"$TMP/walked"
		frames "$TMP/o.out" >"$TMP/wanted"
		same user-rows "$TMP/wanted" "$TMP/walked"
	fi

	load w "$WORK" chain 500 40
	start s stackcount --backend bpf $without -f -p "$(pid w)" "$WORK:chain_inner"
	start n stacksnoop --backend bpf $without --json -U -p "$(pid w)" "$WORK:chain_inner"
	go w
	stop s
	stop n
	contains cut "$TMP/s.out" '^work;\[cut at 32\];chain_deep;.*;chain_deep;chain_outer;chain_inner [0-9]+$'
	equal cut-frames 34 "$(sed -n 's/^work;\(.*\) [0-9]*$/\1/p' "$TMP/s.out" | tr ';' '\n' | grep -c .)"
	contains cut-json "$TMP/n.out" '"user_stack":"\[cut at 32\];chain_deep;.*;chain_inner"'

	# The table has room for one stack: another one is lost, and says so.
	load w "$WORK" chain 500
	load v "$WORK" chain 500 3
	start s stackcount --backend bpf $without -f --stack-storage-size 1 -p "$(pid w),$(pid v)" "$WORK:chain_inner"
	go w v
	stop s
	contains lost "$TMP/s.out" '^work;\[lost: collision\] [0-9]+$'
	contains kept "$TMP/s.out" '^work;.*;job_chain;(.*;)?chain_inner [0-9]+$'
else
	go w
fi

# The kernel.
load w "$WORK" sleeps 300
if ! has frame-pointers; then
	go w
	refused no-frames 'not known to keep frame pointers|no BPF programs on kprobes|no kprobes|which task is current|'"$unwalked|$(absences bpf)" stackcount --backend bpf $without -K hrtimer_nanosleep
elif start_or_skip kernel "$(absences bpf)|$unwalked" s stackcount --backend bpf $without -f -K -p "$(pid w)" hrtimer_nanosleep; then
	other o stackcount -f -K -p "$(pid w)" hrtimer_nanosleep && both=1 || both=
	slower=
	start_or_skip slower-ends "$(absences bpf)" l funcslower --backend bpf $without --json -u 1000 -K -p "$(pid w)" hrtimer_nanosleep && slower=1
	go w
	stop s && equal kernel-ends 0 "$STATUS"
	[ -z "$both" ] || stop o
	[ -z "$slower" ] || { stop l && equal slower-ends 0 "$STATUS"; }
	folded "$TMP/s.out" >"$TMP/walked"
	contains kernel "$TMP/walked" '^-;.*[sS]y[sS].*nanosleep.*;hrtimer_nanosleep 300$'
	equal no-marks 0 "$(grep -c '\[cut' "$TMP/walked")"
	if [ -n "$both" ]; then
		folded "$TMP/o.out" >"$TMP/wanted"
		same kernel-rows "$TMP/wanted" "$TMP/walked"
	fi
	if [ -n "$slower" ]; then
		fields "$TMP/l.out" kernel_stack >"$TMP/rows"
		equal slower 300 "$(grep -c '[sS]y[sS].*nanosleep.*;hrtimer_nanosleep$' "$TMP/rows")" || {
			sort "$TMP/rows" | uniq -c >"$TMP/counted"
			notes "$TMP/counted"
			notes "$TMP/l.err"
		}
	fi
else
	go w
fi
refused no-user 'registers of user space|no BPF programs on kprobes|no kprobes|which task is current|'"$unwalked|$(absences bpf)" stackcount --backend bpf $without -U hrtimer_nanosleep
clean left
quiet kernel-log
