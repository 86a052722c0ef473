# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# sonde probe: probes that stay, until they are removed: of a file and of the kernel; what trace, perf and trace-cmd see
# of them; what is refused; that no other sonde takes them away.
. "${0%/*}/../lib.sh"

expect library "$WORK" library "$TMP/bash" || exit 1
user=u$$ kernel=k$$ call=c$$
cleanup_hook() {
	for n in $user $kernel $call; do
		"$SONDE" probe --del $n >/dev/null 2>&1
	done
}
listed() { "$SONDE" probe --list --json | sed -n "s/^{\"event\":\"probes:$1\",.*\"kind\":\"\\([a-z]*\\)\",\"by\":\"sonde\",.*\"enabled\":false}$/\\1/p"; }
enabled() { cat "$TRACEFS/events/probes/$1/enable"; }

# unfit NAME FEATURE SPEC: this kernel has no such probes, and sonde says so.
unfit() {
	"$SONDE" probe --add "$3" 2>"$TMP/err"
	equal $1 1 $?
	contains $1-said "$TMP/err" "$2 are unavailable: $(why $2)"
}

# recorded VERDICT EVENT FIELD WANTED COMMAND...: perf and trace-cmd record what the command does; the texts of that field
# are those of the file. (Where a text can't be read, each shows something of its own.)
recorded() {
	what=$1
	event=$2
	field=$3
	wanted=$4
	shift 4
	if command -v perf >/dev/null && perf --version >/dev/null 2>&1; then
		perf record -q -e "probes:$event" -o "$TMP/perf.data" "$@" >/dev/null 2>"$TMP/err"
		perf script -i "$TMP/perf.data" 2>>"$TMP/err" | grep "probes:$event:" | grep -o "$field=\"[^\"]*[a-z][^\"]*\"" >"$TMP/got"
		same perf-$what "$wanted" "$TMP/got" || notes "$TMP/err"
	else
		skip perf-$what "perf is not installed"
	fi
	if command -v trace-cmd >/dev/null; then
		# Its `record` loses what is in pages that are not full, on kernels up to 5.4.
		{
			trace-cmd start -B "test$$" -e "probes:$event" && "$@" &&
				echo 0 >"$TRACEFS/instances/test$$/tracing_on" &&
				trace-cmd extract -B "test$$" -o "$TMP/trace.dat"
		} >/dev/null 2>"$TMP/err"
		rmdir "$TRACEFS/instances/test$$" 2>/dev/null
		if grep -q "Can't enable ftrace\|Operation not permitted" "$TMP/err"; then
			skip trace-cmd-$what "trace-cmd records nothing here: $(cat "$TMP/err")"
			return
		fi
		trace-cmd report -i "$TMP/trace.dat" 2>>"$TMP/err" | grep " $event: " | grep -v " \(trace-cmd\|ld-linux\)\|tracing_on" |
			grep -o "$field=\"[^\"]*[a-z][^\"]*\"" >"$TMP/got"
		same trace-cmd-$what "$wanted" "$TMP/got" || notes "$TMP/err"
	else
		skip trace-cmd-$what "trace-cmd is not installed"
	fi
}

# ---- of a file ----

# Refused where it would damage whoever runs it.
if [ -n "$WORK32" ] && [ "$(uname -m)" = x86_64 ] && has uprobes && ! has uretprobe-32; then
	"$SONDE" probe --add "$user=$(readlink -f "$WORK32"):take_wide%return" 2>"$TMP/err"
	equal narrow 1 $?
	contains narrow-why "$TMP/err" 'return probes damage the stacks of 32-bit programs on this kernel'
fi
if ! has uprobes; then
	unfit no-uprobes uprobes "$user=$TMP/bash:readline"
elif ! has uprobe-fetch; then
	expect add-registers "$SONDE" probe --add "$user=$TMP/bash:readline %$(case $(uname -m) in x86_64) echo di ;; *) echo sp ;; esac)"
	"$SONDE" probe --del $user >/dev/null
	skip user "$(why uprobe-fetch)"
elif [ "$(uname -m)" = armv7l ]; then
	skip user "returns of user space can't be probed on 32-bit ARM"
else
	"$SONDE" probe --add "$user=$TMP/bash:readline%return text=+0(\$retval):ustring" >"$TMP/out" 2>"$TMP/err"
	equal add 0 $?
	contains added "$TMP/out" "^probes:$user: r:probes/$user $TMP/bash:0x[0-9a-f]+ text=\+0\(.retval\):string$"
	contains added-use "$TMP/err" "sonde trace t:probes:$user, or perf record -e probes:$user; sonde probe --del $user"
	equal listed uretprobe "$(listed $user)"
	"$SONDE" probe --list >"$TMP/out"
	contains list "$TMP/out" "^probes:$user +uretprobe +sonde +no +$TMP/bash:0x[0-9a-f]+ text="
	equal disabled 0 "$(enabled $user)"

	"$SONDE" probe --add "$user=$TMP/bash:readline" 2>"$TMP/err"
	equal twice 1 $?
	contains twice-said "$TMP/err" "probes:$user exists already: r:probes/$user .*"
	contains twice-advice "$TMP/err" '^--force replaces this probe'
	"$SONDE" probe --force --add "$user=$TMP/bash:readline%return text=+0(\$retval):nothing" 2>"$TMP/err"
	equal bad-type 1 $?
	contains bad-type-said "$TMP/err" "can't add probes:$user, the kernel says: "
	equal put-back uretprobe "$(listed $user)"
	expect force "$SONDE" probe --force --add "$user=$TMP/bash:readline%return text=+0(\$retval):string n=\$retval"
	equal forced uretprobe "$(listed $user)"

	for b in $ENGINES; do
		# Its fields are of no use to a BPF program.
		if [ $b = bpf ]; then
			"$SONDE" trace --dump --backend bpf "t:probes:$user \"%d\", args->n" >/dev/null 2>"$TMP/err"
			equal no-bpf 1 $?
			has bpf-tracepoint && contains no-bpf-said "$TMP/err" 'is a probe: it hands BPF programs registers'
			continue
		fi
		load w "$WORK" lines "$TMP/bash" 'dmesg | tail' 'ls'
		start_or_skip trace-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
			"t:probes:$user (args->n != 0) \"%s\", args->text" "t:probes:$user (args->n != 0)" || { go w; continue; }
		"$SONDE" probe --del $user 2>"$TMP/err"
		equal in-use-$b 1 $?
		contains in-use-said-$b "$TMP/err" "probes:$user is in use and stays"
		contains who-$b "$TMP/err" "process $(pid s) \(.*\) has perf events open|the instance sonde-"
		go w
		stop s
		fields "$TMP/s.out" pid func message | grep -v "text=" >"$TMP/got"
		printf '%s\t%s\t%s\n' "$(pid w)" $user 'dmesg\x20|\x20tail' "$(pid w)" $user ls >"$TMP/wanted"
		contains own-text-$b "$TMP/s.out" "\"message\":\"\([0-9a-f]+ <- [0-9a-f]+\) text=.\"ls.\" n=0x[0-9a-f]+\""
		same trace-$b "$TMP/wanted" "$TMP/got"
	done
	printf 'text="%s"\n' 'dmesg | tail' ls >"$TMP/wanted"
	recorded user $user text "$TMP/wanted" "$WORK" lines "$TMP/bash" 'dmesg | tail' ls
	equal stays uretprobe "$(listed $user)"
	expect del "$SONDE" probe --del "${user}*"
	equal gone '' "$(listed $user)"
	[ ! -e "$TRACEFS/events/probes/$user" ] && pass no-event || fail no-event "its event is still there"
fi

# ---- of the kernel ----

open=do_sys_openat2
"$SONDE" probe --dump --add "$kernel=$open" >/dev/null 2>&1 || open=do_sys_open
if ! has kprobes; then
	unfit no-kprobes kprobes "$kernel=$open"
else
	"$SONDE" probe --add "$kernel=$open path=+0(\$arg2):ustring" --add "$call=sys_openat path=+u0(\$arg2):ustring" \
		>"$TMP/out" 2>"$TMP/add.err"
	if ! equal kernel 0 $?; then
		notes "$TMP/add.err"
	else
		contains kernel-added "$TMP/out" "^probes:$kernel: p:probes/$kernel $open path=\+0\(.*\):u?string$"
		contains call-added "$TMP/out" "^probes:$call: p:probes/$call [a-zA-Z0-9_]*_?[sS]y[sS]_openat path="
		equal kernel-listed kprobe "$(listed $kernel)"
		equal kernel-disabled 0 "$(enabled $kernel)"
		mkdir "$TMP/dir"
		for b in $ENGINES; do
			[ $b != bpf ] || continue
			load w "$WORK" opens 1 "$TMP/dir"
			start_or_skip kernel-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
				"t:probes:$kernel \"%s\", args->path" "t:probes:$call \"%s\", args->path" || { go w; continue; }
			go w
			stop s
			contains kernel-$b "$TMP/s.out" "\"func\":\"$kernel\",\"message\":\"$TMP/dir"
			contains call-$b "$TMP/s.out" "\"func\":\"$call\",\"message\":\"$TMP/dir"
		done
		"$WORK" opens 1 "$TMP/dir" | sed -n "s|^open.*	\($TMP/dir[^	]*\)	.*|path=\"\1\"|p" >"$TMP/wanted"
		# Some kernels do not say that a `ustring` is a text: sonde says that nobody else prints it.
		if grep -q '__get_str(path)' "$TRACEFS/events/probes/$kernel/format"; then
			equal kernel-said 0 "$(grep -c 'show path as an empty string' "$TMP/add.err")"
			recorded kernel $kernel path "$TMP/wanted" "$WORK" opens 1 "$TMP/dir"
		else
			contains kernel-said "$TMP/add.err" 'perf and trace-cmd show path as an empty string'
		fi
		expect kernel-del "$SONDE" probe --del $kernel --del $call
		equal kernel-gone '' "$(listed $kernel)$(listed $call)"
	fi
fi

# ---- mistakes ----

mistake() {
	verdict=$1
	pattern=$2
	shift 2
	"$SONDE" probe "$@" >"$TMP/out" 2>"$TMP/err"
	equal $verdict 2 $?
	contains $verdict-said "$TMP/err" "$pattern"
}
mistake no-name "'vfs_read' has no name: NAME=FUNCTION is wanted" --add vfs_read
mistake positional 'put quotes around them' --add "a=c:malloc" n=%di
mistake nothing 'give --add, --list, --del or --clean' --force
mistake quiet-list '--quiet and --verbose are for --clean' --list -q
mistake clean-and-list 'give --add, --list, --del or --clean' --clean --list
"$SONDE" probe --del nothing$$ 2>"$TMP/err"
equal not-there 1 $?
contains not-there-said "$TMP/err" "there is no probe probes:nothing$$"
clean left
quiet kernel-log
