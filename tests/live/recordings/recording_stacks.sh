# SPDX-License-Identifier: GPL-2.0
#
# Stacks of what `perf record -g` wrote: names and counts are those of `perf script`, and names that may be wrong are
# not given.
. "${0%/*}/../lib.sh"
. "$LIVE/peer.sh"

PERF=${PERF:-perf}
if ! peer /dev/null "$TMP/perf" "$PERF" record -q -a -g -e sched:sched_process_exit -o "$TMP/data" true >"$TMP/why"; then
	skip perf "$(head -n 1 "$TMP/perf")"
	exit
fi

# alike FILE: functions of one address have one name, the first one in kallsyms: perf takes another one of them. And
# perf names what a call at the end of a function returns to, which is the function behind it: the kernel's first one has
# such a call.
alike() {
	sed 's/x86_64_start_kernel;[^;]*;start_kernel;/start_kernel;/' "$1" >"$1.cut"
	awk 'NR == FNR { if ($1 in first) other[$3] = first[$1]; else { first[$1] = $3; own[$3] = 1 } next }
	     { n = split($1, f, ";"); stack = ""
	       for (i = 1; i <= n; i++) stack = stack (i > 1 ? ";" : "") (f[i] in other && !(f[i] in own) ? other[f[i]] : f[i])
	       sums[stack] += $2 }
	     END { for (stack in sums) print stack, sums[stack] }' /proc/kallsyms "$1.cut" | sort
}

# kernel_stacks FILE EVENT: the kernel's stacks by perf script, as `--folded -K` has them: "first;second;last COUNT". What
# calls several tracers one by one is no part of what is traced. What is no return address on a user's stack may be -1.
kernel_stacks() {
	"$PERF" script -i "$1" -F event,ip,sym 2>"$TMP/script.err" | awk -v event="$2" '
		function end() { if (on && stack != "") sums[stack]++; stack = ""; on = 0 }
		NF == 0 { end(); next }
		/^[^ \t].*:/ || /:[ \t]*$/ { end(); on = index($0, event) > 0; next }
		on && $1 ~ /^ffffffff[89a-e]/ && (stack != "" || $2 !~ /^__traceiter_/) { stack = stack == "" ? $2 : $2 ";" stack }
		END { end(); for (stack in sums) print stack, sums[stack] }' | sort
}

# stream_stacks OPTION...: the same of the stream by sonde.
stream_stacks() {
	"$SONDE" stackcount -K t:sched:sched_switch --folded "$@" --input "$TMP/stream" 2>"$TMP/err" |
		sed '/^Tracing/d; s/^[^;]*;//' | sort >"$TMP/got"
}
# same_names NAME: "COMM N" are the same; but perf 6.12 and later does not know some tasks, whose name is :PID. sonde does.
same_names() {
	awk 'NR == FNR && /^:[0-9]+ / { unknown += $NF; next }
	     { n = $NF; sub(/ [0-9]+$/, "") }
	     NR == FNR { perf[$0] = n; next }
	     { if (n < perf[$0]) wrong = 1
	       more += n - perf[$0]; delete perf[$0] }
	     END { for (name in perf) wrong = 1
		   exit wrong || more != unknown }' "$TMP/wanted" "$TMP/got" && pass "$1" || same "$1" "$TMP/wanted" "$TMP/got"
}
same_stacks() {
	alike "$TMP/wanted" >"$TMP/wanted.alike"
	alike "$TMP/got" >"$TMP/got.alike"
	same "$1" "$TMP/wanted.alike" "$TMP/got.alike"
}

peer "$TMP/job" "$TMP/perf" "$PERF" record -q -a -g -e sched:sched_switch -o "$TMP/data" -- "$WORK" pingpong 300
"$SONDE" stackcount -K t:sched:sched_switch --folded --input "$TMP/data" 2>"$TMP/err" | sed '/^Tracing/d; s/^[^;]*;//' | sort >"$TMP/got"
kernel_stacks "$TMP/data" sched_switch >"$TMP/wanted"
if grep -q 'have no names' "$TMP/err"; then
	notes "$TMP/err"
	skip names "perf does not tell where the kernel is"
else
	[ -s "$TMP/wanted" ] && same_stacks names
fi

# A stream of perf before 7 has no build id: then there are no names. Root's copy of the names goes with it, and one of another start does not.
if peer "$TMP/stream" "$TMP/perf" "$PERF" record -q -a -g -e sched:sched_switch -o - -- "$WORK" pingpong 100; then
	kernel_stacks "$TMP/stream" sched_switch >"$TMP/wanted"
	if "$PERF" script -i "$TMP/stream" --show-mmap-events 2>/dev/null | grep -q '<[0-9a-f]*>.*kernel.kallsyms'; then
		stream_stacks
		same_stacks stream
	else
		"$SONDE" stackcount -K t:sched:sched_switch --folded --input "$TMP/stream" >"$TMP/got" 2>"$TMP/err"
		contains unnamed "$TMP/err" 'have no names: .*build id'
		contains advised "$TMP/err" 'kallsyms FILE takes it'
	fi
	stream_stacks --kallsyms /proc/kallsyms
	same_stacks given
	sed 's/^fff\(.*\) T _\(s*\)text$/ffe\1 T _\2text/' /proc/kallsyms >"$TMP/kallsyms"
	"$SONDE" stackcount -K t:sched:sched_switch --folded --kallsyms "$TMP/kallsyms" --input "$TMP/stream" >"$TMP/got" 2>"$TMP/err"
	contains refused "$TMP/err" 'and the recorded kernel had it at'
fi

# Samples: as many as perf has of each command, and the same stacks of the kernel.
peer "$TMP/job" "$TMP/perf" "$PERF" record -q -a -g -F 499 -o "$TMP/samples" -- "$WORK" flood getppid 300000
"$SONDE" profile --folded -I --input "$TMP/samples" 2>"$TMP/err" |
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/;.*/, ""); sums[$0] += n } END { for (c in sums) print c, sums[c] }' |
	sed 's/^- /swapper /' | sort >"$TMP/got"
"$PERF" script -i "$TMP/samples" -F comm,pid 2>"$TMP/script.err" |
	awk '/^ *[^ ]/ { pid = $NF; sub(/ +[0-9]+ *$/, ""); sub(/^ +/, ""); sums[pid == 0 ? "swapper" : $0]++ }
	     END { for (c in sums) print c, sums[c] }' | sort >"$TMP/wanted"
same_names samples
# With an end that is far: the run begins with the first sample, not with what perf writes before it.
"$SONDE" profile --folded -K -I --input "$TMP/samples" 3600 2>"$TMP/err" | grep ';' | sed 's/^[^;]*;//' |
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sums[$0] += n } END { for (s in sums) print s, sums[s] }' | sort >"$TMP/got"
kernel_stacks "$TMP/samples" cpu-clock >"$TMP/wanted"
[ -s "$TMP/wanted" ] || kernel_stacks "$TMP/samples" cycles >"$TMP/wanted"
same_stacks sampled-stacks
"$SONDE" profile -F 49 --input "$TMP/samples" >"$TMP/got" 2>"$TMP/err"
contains rate "$TMP/err" 'at 49 Hertz were asked for, and those of the recording were taken at 499 Hertz'
"$SONDE" profile --input "$TMP/samples" 2>"$TMP/err" | head -n 1 >"$TMP/got"
contains head "$TMP/got" '^Samples at 499 Hertz of the recorded threads'

# Without -a perf does not note the CPUs.
peer "$TMP/job" "$TMP/perf" "$PERF" record -q -g -o "$TMP/own" -- "$WORK" flood getppid 100000
"$SONDE" profile --cpu 0 --input "$TMP/own" >"$TMP/got" 2>"$TMP/err"
contains cpus "$TMP/err" 'does not tell the CPUs of its samples'
"$SONDE" profile --folded --input "$TMP/own" 2>"$TMP/err" | awk '{ n += $NF } END { print n + 0 }' >"$TMP/got"
"$PERF" script -i "$TMP/own" -F comm 2>"$TMP/script.err" | awk 'NF { n++ } END { print n + 0 }' >"$TMP/wanted"
same own "$TMP/wanted" "$TMP/got"
