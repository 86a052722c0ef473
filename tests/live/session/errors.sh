# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# Each way to use it wrongly, and each thing a machine may lack, has a message of its own and the right status: 2 for
# a command line that makes no sense, 1 for what can't be done here.
. "${0%/*}/../lib.sh"

# wrong NAME STATUS PATTERN COMMAND...: ends at once with this status, prints nothing, and says something that matches.
wrong() {
	of=$1
	wanted=$2
	pattern=$3
	shift 3
	timeout $((10 * SLOW)) "$@" >"$TMP/wrong.out" 2>"$TMP/wrong.err" </dev/null
	STATUS=$?
	if [ $STATUS = "$wanted" ] && [ ! -s "$TMP/wrong.out" ] && grep -qE -e "$pattern" "$TMP/wrong.err"; then
		pass "$of"
	else
		fail "$of" "$*: wanted status $wanted and a message like /$pattern/, got status $STATUS and:"
		notes "$TMP/wrong.err"
		notes "$TMP/wrong.out"
	fi
}

wrong no-tool 2 'nosuchtool' "$SONDE" nosuchtool
contains no-tool-list "$TMP/wrong.err" 'sonde help'
wrong near-tool 2 'did you mean opensnoop' "$SONDE" opensnop
wrong other-tool 2 'there is no tool virtiostat: biotop shows' "$SONDE" virtiostat
wrong help-other-tool 2 'there is no tool virtiostat: biotop shows' "$SONDE" help virtiostat
ln -s "$SONDE" "$TMP/ucalls"
wrong called-other-tool 2 'there is no tool ucalls: tplist' "$TMP/ucalls" -l java
wrong other-option 2 '^sonde: funccount: there is no option --nosuch' "$SONDE" vfscount --nosuch
wrong near-command 2 'did you mean features' "$SONDE" feature
wrong help-near-tool 2 'did you mean opensnoop' "$SONDE" help opensnop
wrong no-own-option 2 'no option --nosuch' "$SONDE" --nosuch
wrong no-option 2 '\-\-nosuch' "$SONDE" opensnoop --nosuch
wrong no-letter 2 '\-Z' "$SONDE" opensnoop -Z
contains no-option-help "$TMP/wrong.err" "help opensnoop. lists its options"
wrong near-option 2 '\-\-duration' "$SONDE" opensnoop --durration 3
wrong no-value 2 '\-p needs a value' "$SONDE" opensnoop -p
wrong operand 2 '"file"' "$SONDE" opensnoop file
wrong no-picture 2 'does not add up its stacks' "$SONDE" stacksnoop vfs_read --flame=x.svg
wrong word 2 '"abc"' "$SONDE" opensnoop -d abc
wrong zero 2 '"0"' "$SONDE" opensnoop -d 0
wrong exponent 2 '"1e3"' "$SONDE" opensnoop -d 1e3
wrong huge 2 '"99999999999999999999"' "$SONDE" opensnoop -d 99999999999999999999
wrong no-interval 2 '"0"' "$SONDE" runqlat 0
wrong three-numbers 2 '"3"' "$SONDE" runqlat 1 2 3
wrong port 2 '"70000"' "$SONDE" tcpconnect -P 70000
wrong buffer 2 '"0"' "$SONDE" opensnoop --buffer-pages 0
wrong flag 2 'O_WRONLY.*"O_NOSUCH"' "$SONDE" opensnoop -f O_NOSUCH
wrong user 2 '"nosuchuser"' "$SONDE" opensnoop -u nosuchuser
wrong disk 2 'nosuchdisk' "$SONDE" biolatency -d nosuchdisk
wrong cpu 2 'CPU 8191 does not exist' "$SONDE" softirqs -c 8191
wrong regex 2 'regular expression' "$SONDE" execsnoop -n '('
wrong backend 2 'bpf, perf or ftrace' "$SONDE" opensnoop --backend nosuch
wrong both-formats 2 'json.*csv' "$SONDE" opensnoop --json --csv
wrong both-families 2 'ipv' "$SONDE" tcpconnect -4 -6
wrong both-groups 2 'flags.*disks' "$SONDE" biolatency -D -F
wrong no-command 2 'command' "$SONDE" opensnoop --exec
wrong snapshot-runs 2 '\-\-dump' "$SONDE" opensnoop --snapshot "$TMP"
wrong links 2 'install-links takes DIR' "$SONDE" install-links

# All that are known are named.
wrong no-feature 2 'nosuch' "$SONDE" opensnoop --without nosuch
contains no-feature-known "$TMP/wrong.err" 'bpf, .*ringbuf, .*kprobes, .*syscall-tracepoints'
wrong no-feature-second 2 'nosuch' "$SONDE" opensnoop --without bpf,nosuch
wrong no-snapshot 1 '/nonexistent' "$SONDE" opensnoop --dump --snapshot /nonexistent
wrong links-nowhere 1 '/nonexistent' "$SONDE" install-links /nonexistent

# Help and version, however one asks.
"$SONDE" --version >"$TMP/version"
contains version "$TMP/version" '^sonde [0-9.]+$'
for words in -V version "opensnoop --version"; do
	"$SONDE" $words >"$TMP/out"
	same "version-$(echo "$words" | tr -d ' -')" "$TMP/version" "$TMP/out"
done
"$SONDE" >"$TMP/list"
contains list "$TMP/list" '^  opensnoop '
for words in help --help -h; do
	"$SONDE" $words >"$TMP/out"
	same "list-$(echo "$words" | tr -d ' -')" "$TMP/list" "$TMP/out"
done
"$SONDE" opensnoop --help >"$TMP/wanted"
"$SONDE" help opensnoop >"$TMP/out"
same help-tool "$TMP/wanted" "$TMP/out"
for command in $(sed '1,/^and$/d; /^$/,$d' "$TMP/list" | awk '{ print $1 }'); do
	"$SONDE" $command --help >"$TMP/wanted"
	contains help-$command "$TMP/wanted" "^Usage: sonde $command"
	"$SONDE" help $command >"$TMP/out"
	same help-same-$command "$TMP/wanted" "$TMP/out"
done

# A process that is not there.
sh -c : &
gone=$!
wait $gone
for tool in opensnoop tcpconnect runqlat; do
	wrong no-process-$tool 2 "$gone" "$SONDE" $tool -p $gone
done
wrong no-process-execsnoop 2 "$gone" "$SONDE" execsnoop --pid $gone

# A command that can't be run.
timeout $((10 * SLOW)) "$SONDE" tcpconnect --exec /nonexistent/command >"$TMP/exec.out" 2>"$TMP/exec.err"
equal no-program 127 $?
contains no-program-why "$TMP/exec.err" '/nonexistent/command: No such file'

# An event this kernel does not have.
for b in $ENGINES; do
	refused no-event-$b 'inet_sock_set_state' tcpconnect --backend $b \
		--without tracepoint:sock:inet_sock_set_state,kprobes
	refused no-kprobes-$b 'kprobes' opensnoop --backend $b --without kprobes,syscall-tracepoints
done
refused no-engine 'bpf .*perf .*ftrace|bpf' tcpconnect --without bpf,perf,tracefs
for b in perf ftrace; do
	refused no-strings-$b 'kprobe' execsnoop --backend $b --without kprobes,tracepoint:sched:sched_process_exec
done

# One reason that all engines share is said once, and what was tried only with -v.
if ! has_kprobes; then
	"$SONDE" vfsstat 2>"$TMP/once.err"
	equal once 2 "$(wc -l <"$TMP/once.err")"
	contains once-why "$TMP/once.err" '^sonde: vfsstat can.t run here: this kernel has no kprobes \(CONFIG_KPROBE_EVENTS\)$'
fi
"$SONDE" vfsstat --without kprobes 2>"$TMP/once.err"
contains once-without "$TMP/once.err" "^sonde: vfsstat can.t run here: it needs kprobes, which --without takes away$"
# An engine that was asked for is named: another may serve.
"$SONDE" vfsstat --backend ftrace --without kprobes 2>"$TMP/asked.err"
contains asked-engine "$TMP/asked.err" "^sonde: vfsstat can.t run here with --backend ftrace: it needs kprobes"
"$SONDE" vfsstat --without kprobes --verbose 2>"$TMP/once.err"
contains once-tried "$TMP/once.err" '^sonde: not ftrace: +vfs.read: this kernel has no kprobes, for vfs_read'
# A line a tool, and all of one.
"$SONDE" features >"$TMP/out"
"$SONDE" | sed '/^and$/,$d' | awk '/^  / { print $1 }' | sort >"$TMP/wanted"
sed '1,/^tool /d; /^$/,$d' "$TMP/out" | awk '{ print $1 }' | sort >"$TMP/got"
same features-lines "$TMP/wanted" "$TMP/got"
"$SONDE" features runqlat >"$TMP/out"
contains features-tool "$TMP/out" '^runqlat +(bpf|perf|ftrace|can.t run here)$'
contains features-kind "$TMP/out" '^ +sched.switch: (typed tracepoint|raw tracepoint|tracepoint) sched:sched_switch$|^runqlat +can.t run here'
contains features-pay "$TMP/out" '^  others pay each switch of tasks takes longer$|^runqlat +can.t run here'
"$SONDE" features runqlat --json >"$TMP/out"
contains features-probes "$TMP/out" '"probes": \[.*{"hook": "sched.switch", "kind": "(typed |raw )?tracepoint", "probe": "sched:sched_switch"}.*"others_pay": \[.*"each switch of tasks takes longer"|"engine": null'
wrong features-near 2 'did you mean runqlat' "$SONDE" features runqlatt

# Not root: what is missing, and who has it.
cp "$SONDE" "$WORK" "$TMP/"
chmod 755 "$TMP" "$TMP/${SONDE##*/}" "$TMP/${WORK##*/}"
as_nobody() { "$TMP/${WORK##*/}" as 65534 "$TMP/${SONDE##*/}" "$@"; }
for b in $ENGINES; do
	as_nobody tcpconnect --backend $b >"$TMP/nobody.out" 2>"$TMP/nobody.err"
	equal nobody-$b 1 $?
	contains nobody-why-$b "$TMP/nobody.err" 'root'
done
as_nobody tcpconnect >"$TMP/nobody.out" 2>"$TMP/nobody.err"
equal nobody 1 $?
contains nobody-capability "$TMP/nobody.err" 'CAP_BPF'
equal nobody-once 1 "$(grep -c 'needs root' "$TMP/nobody.err")"
as_nobody features >"$TMP/nobody.out" 2>"$TMP/nobody.err"
equal nobody-features-text 0 $?
contains nobody-features-why "$TMP/nobody.out" '^opensnoop +none +(as [a-z]+|tracing needs root)'
as_nobody features --json >"$TMP/nobody.out" 2>"$TMP/nobody.err"
equal nobody-features 0 $?
expect nobody-features-json "$WORK" json tools <"$TMP/nobody.out"

# In another pid namespace ids mean other processes.
if unshare -p -f true 2>/dev/null; then
	wrong namespace 2 'namespace' unshare -p -f "$SONDE" tcpconnect -p $$
	! unshare -m -p -f --mount-proc true 2>/dev/null ||
		wrong namespace-of-proc 2 'initial pid namespace' unshare -m -p -f --mount-proc "$SONDE" tcpconnect -p $$
else
	skip namespace "no pid namespaces here"
fi

# No tracefs, and none can be mounted.
if unshare -m true 2>/dev/null; then
	wrong no-tracefs 1 'tracefs|tracing' unshare -m sh -c \
		'mount -t tmpfs none /sys/kernel && exec "$0" tcpconnect --backend ftrace' "$SONDE"
	wrong no-tracefs-bpf 1 '(tracefs|tracing)' unshare -m sh -c \
		'mount -t tmpfs none /sys/kernel && exec "$0" cachestat --backend bpf' "$SONDE"
	wrong no-tracefs-perf 1 'tracefs' unshare -m sh -c \
		'mount -t tmpfs none /sys/kernel && exec "$0" tcpconnect --backend perf' "$SONDE"
	# Not mounted, but it can be: sonde does so.
	unshare -m sh -c 'umount -l '$TRACEFS' && exec timeout 10 "$0" tcpconnect --duration 1' "$SONDE" \
		>"$TMP/mounts.out" 2>"$TMP/mounts.err"
	equal mounts-tracefs 0 $? || notes "$TMP/mounts.err"
else
	skip no-tracefs "no mount namespaces here"
fi

# More memory than is allowed is an error, or less is taken; it is no crash. A sanitizer's sonde can't start so small.
if { (ulimit -v 60000 && exec "$SONDE" --version); } >"$TMP/memory.out" 2>&1; then
	(ulimit -v 60000 && exec timeout 10 "$SONDE" tcpconnect --backend perf --buffer-pages 65536 --duration 1) \
		>"$TMP/memory.out" 2>"$TMP/memory.err"
	code=$?
	if [ $code = 1 ]; then
		contains memory "$TMP/memory.err" 'memory|buffer-pages'
	else
		equal memory 0 $code
	fi
else
	skip memory "this sonde can't start in 60 MB of addresses"
fi
clean left
quiet kernel-log
