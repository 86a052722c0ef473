#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bt_runtime.sh [-v] FOLDER [FILE...]: runs bpftrace's own tests with `sonde bt`, and prints how many passed, failed and
# were left out, by reasons. FOLDER is the folder tests of bpftrace's source, with runtime and testprogs. SONDE= is the
# binary, OPTIONS= more options of `sonde bt`, as `--backend perf`. -v prints the output of each failure.
# bt_runtime.sh --cut DIR FOLDER [FILE...]: only makes the blocks, and the programs that they start, in DIR.
# bt_runtime.sh --run DIR: runs them, on any machine with busybox; SLOW= multiplies all times, JOBS= is how many run at
# a time.
# bt_runtime.sh --judge DIR [-v]: prints the table; it needs python3, whose regular expressions the tests have.
#
# In a guest: `bt_runtime.sh --cut D tests`, `tar cf blocks.tar -C D .`, then
#   lab.sh K=6.12-amd64 --add blocks.tar --add bt_runtime.sh --results R --run \
#     'mkdir /tmp/d; cd /tmp/d; tar xf /lab/blocks.tar; SLOW=4 sh /lab/bt_runtime.sh --run /tmp/d; cp -r ran $RESULTS'
# and `cp -r R/ran D; bt_runtime.sh --judge D`.
#
# A file has blocks of lines `DIRECTIVE VALUE` with blank lines between them; lines that begin with blanks go on.
set -u
here=$(cd "$(dirname "$0")" && pwd)

usage() { sed -n '/^# bt_runtime.sh/,/^$/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }

# Cuts a file into a folder for each block, with a file for each directive; a directive that comes again adds a line. What
# EXPECT and its kind say is in one file, with a line `DIRECTIVE` before each, because the judge wants their order.
cut_file() {
	awk -v to="$1/blocks" -v suite="$2" '
		function done() { if (block) close(name); block = 0 }
		function put(text) {
			name = folder "/" (directive ~ /^EXPECT/ ? "EXPECTS" : directive)
			print text >>name
			close(name)
		}
		/^#/ { next }
		/^[ \t]*$/ { done(); next }
		/^[A-Z_]+( |$)/ {
			if ($1 == "NAME") {
				folder = sprintf("%s/%s.%04d", to, suite, ++n)
				block = 1
				system("mkdir -p " folder)
			}
			directive = $1
			value = substr($0, length($1) + 2)
			sub(/^[ \t]+/, "", value)
			if (!block)
				next
			if (directive ~ /^EXPECT/)
				put("=" directive)
			put(value)
			next
		}
		block { put(substr($0, length(directive) + 2)) }' "$3"
}

# The programs that tests start. Static ones run in a guest too.
build_programs() {
	for source in "$1"/testprogs/*.c; do
		program=${source%.c}
		flags='-g -O0 -fno-omit-frame-pointer -no-pie -w -pthread'
		case $program in
		*/uprobe_nofp) flags='-g -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -no-pie -w' ;;
		esac
		gcc $flags -static -I"$1/include" -o "$program" "$source" 2>/dev/null ||
			gcc $flags -I"$1/include" -o "$program" "$source" 2>/dev/null
	done
	for program in $(grep -ho 'testprogs/[a-z_]*-pie' "$1"/../blocks/*/* | sort -u); do
		gcc -g -O0 -fno-omit-frame-pointer -static-pie -w -pthread -I"$1/include" -o "$1/$program" \
			"$1/${program%-pie}.c" 2>/dev/null
	done
}

cut_all() {
	to=$1 folder=$2
	shift 2
	if [ ! -d "$folder/runtime" ]; then
		echo "SKIP bt_runtime: there is no folder $folder/runtime: a copy of bpftrace's source has it in tests"
		exit 77
	fi
	[ $# -gt 0 ] || set -- $(cd "$folder/runtime" && find . -maxdepth 1 -type f ! -name '*.*' | sed 's,^./,,' | sort)
	mkdir -p "$to/blocks"
	for file; do
		cut_file "$to" "$file" "$folder/runtime/$file"
	done
	for part in runtime/scripts runtime/outputs testprogs include; do
		[ ! -d "$folder/$part" ] || { mkdir -p "$to/tests/$part" && cp -r "$folder/$part/." "$to/tests/$part/"; }
	done
	build_programs "$to/tests"
	rm -rf "$to/tests/include"
}

# ---- running ----

# What a test needs that is not here.
lacks() {
	[ -e "$1/PROG" ] || [ -e "$1/RUN" ] || { echo 'neither PROG nor RUN'; return; }
	[ ! -e "$1/NEW_PIDNS" ] || { echo 'needs a new namespace'; return; }
	if [ -e "$1/ARCH" ]; then
		case "|$(sed 's/ //g' "$1/ARCH")|" in
		"|!"*"|$(uname -m)|"* | "|!$(uname -m)|"*) echo 'another machine'; return ;;
		"|!"* | *"|$(uname -m)|"* | *'|le|'*) ;;
		*) echo 'another machine'; return ;;
		esac
	fi
	for feature in $(cat "$1/REQUIRES_FEATURE" 2>/dev/null); do
		case $feature in
		btf | fentry | iter | dpath) [ -e /sys/kernel/btf/vmlinux ] || { echo "needs $feature"; return; } ;;
		loop | lookup_percpu_elem | probe_read_kernel | get_func_ip | signal | libpath_resolv | jiffies64 | get_tai_ns) ;;
		# What bpftrace does with these, sonde does anyway where there are kprobes.
		kprobe_multi | kprobe_session | uprobe_multi)
			[ -e /sys/bus/event_source/devices/kprobe ] || { echo "needs $feature"; return; } ;;
		!*) case $feature in
			!btf) [ ! -e /sys/kernel/btf/vmlinux ] || { echo "needs $feature"; return; } ;;
			esac ;;
		*) echo "needs $feature"; return ;;
		esac
	done
	if [ -e "$1/REQUIRES" ]; then
		while IFS= read -r command; do
			(eval "$command") >/dev/null 2>&1 || { echo "needs: $command"; return; }
		done <"$1/REQUIRES"
	fi
	return 1
}

# Waits, a tenth of a second at a time, until COMMAND succeeds; fails after LIMIT tenths.
await() {
	left=$1
	shift
	while ! "$@"; do
		[ $((left -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}
ended() { [ -e "$1/status" ]; }
attached() { grep -q '^Attached \|"attached_probes"' "$1/said" "$1/err" 2>/dev/null || ended "$1"; }
child_of() { [ -n "$(pidof "$1")" ]; }

run_block() {
	block=$1 ran=$2
	mkdir -p "$ran"
	if why=$(lacks "$block"); then
		echo "$why" >"$ran/SKIPPED"
		return
	fi
	[ ! -e "$block/SETUP" ] || sh "$block/SETUP" >/dev/null 2>&1
	befores=
	if [ -e "$block/BEFORE" ]; then
		while IFS= read -r command; do
			setsid sh -c "exec $command" >/dev/null 2>&1 </dev/null &
			befores="$befores $!"
			echo $! >>"$dir/running.$job"
			name=${command##* }
			await $((20 * slow)) child_of "${name##*/}"
		done <"$block/BEFORE"
	fi
	# The command is the leader of a session, which is killed as a whole.
	echo "echo \$\$ | tee -a '$dir/running.$job' >'$ran/pid'" >"$ran/command"
	if [ -e "$block/RUN" ]; then
		sed 's/{{BPFTRACE}}/bpftrace/g' "$block/RUN" >>"$ran/command"
	else
		form=
		! grep -q '^=EXPECT_JSON' "$block/EXPECTS" 2>/dev/null || form='-q -f json'
		printf "bpftrace %s -e '%s'\n" "$form" "$(sed "s/'/'\\\\''/g" "$block/PROG")" >>"$ran/command"
	fi
	set -- $befores
	if [ $# -gt 0 ]; then
		name=$(head -n 1 "$block/BEFORE")
		name=${name##* }
		sed -i "s/{{BEFORE_PID}}/$(pidof "${name##*/}" | sed 's/ .*//')/g" "$ran/command"
	fi
	{
		eval "env $(cat "$block/ENV" 2>/dev/null) setsid sh \"\$ran/command\" >\"\$ran/said\" 2>\"\$ran/err\" </dev/null"
		echo $? >"$ran/status"
	} &
	await $((100 * slow)) attached "$ran" || echo 1 >"$ran/late"
	after=
	if [ -e "$block/AFTER" ]; then
		setsid sh "$block/AFTER" >/dev/null 2>&1 </dev/null &
		after=$!
		echo $! >>"$dir/running.$job"
	fi
	if ! await $(($(cat "$block/TIMEOUT" 2>/dev/null || echo 5) * 10 * slow)) ended "$ran"; then
		echo 1 >"$ran/TIMEOUT"
		kill -15 -"$(cat "$ran/pid")" 2>/dev/null
		await $((20 * slow)) ended "$ran" || kill -9 -"$(cat "$ran/pid")" 2>/dev/null
		await 20 ended "$ran"
	fi
	# A command may leave programs behind that it started.
	kill -9 $befores $after 2>/dev/null	# they may not lead their groups yet
	for group in $befores $after $(cat "$ran/pid" 2>/dev/null); do
		kill -9 -"$group" 2>/dev/null
		wait $group 2>/dev/null
	done
	rm -f "$dir/running.$job"
	[ ! -e "$block/CLEANUP" ] || sh "$block/CLEANUP" >/dev/null 2>&1
}

# What was started does not outlive a runner that is told to end: some programs never end by themselves.
end_all() {
	kill $workers 2>/dev/null
	for group in $(cat "$dir"/running.* 2>/dev/null); do
		kill -9 -"$group" 2>/dev/null
	done
}

run_all() {
	dir=$1 slow=${SLOW:-1}
	workers=
	trap 'end_all; exit 143' INT TERM
	sonde=${SONDE:-$here/../sonde}
	[ -x "$sonde" ] || sonde=/lab/sonde
	mkdir -p "$dir/bin" "$dir/ran"
	# bpftrace's name makes sonde what is called; with options it is a script.
	if [ -n "${OPTIONS:-}" ]; then
		printf '#!/bin/sh\nexec "%s" bt %s "$@"\n' "$sonde" "$OPTIONS" >"$dir/bin/bpftrace"
		chmod +x "$dir/bin/bpftrace"
	else
		ln -sf "$(readlink -f "$sonde")" "$dir/bin/bpftrace"
	fi
	export PATH="$dir/bin:$PATH"
	cd "$dir/tests" || exit 1
	jobs=${JOBS:-1} job=0
	while [ $((job += 1)) -le "$jobs" ]; do
		i=0
		for block in "$dir"/blocks/*; do
			[ $(((i += 1) % jobs + 1)) -ne $job ] || run_block "$block" "$dir/ran/${block##*/}" 2>/dev/null
		done &
		workers="$workers $!"
	done
	wait
}

judge() {
	command -v python3 >/dev/null || { echo "SKIP bt_runtime: python3, which judges, is not installed"; exit 77; }
	python3 "$here/bt_judge.py" "$@"
}

case ${1:-} in
--cut) [ $# -ge 3 ] || usage; shift; cut_all "$@"; exit ;;
--run) [ $# -eq 2 ] || usage; run_all "$(cd "$2" && pwd)"; exit ;;
--judge) [ $# -ge 2 ] || usage; shift; judge "$@"; exit ;;
esac
verbose=
[ "${1:-}" != -v ] || { verbose=-v; shift; }
[ $# -gt 0 ] || usage
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cut_all "$scratch" "$@"
run_all "$scratch"
judge "$scratch" $verbose
