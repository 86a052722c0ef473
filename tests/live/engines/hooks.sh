# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Every row of the hook table that is not the first choice here, and serves when those before it are taken away, counts
# and shows the same: each is forced, on each engine, and held against a known workload.
. "${0%/*}/../lib.sh"

. "$LIVE/known.sh"

# hooks FILE: the probes that serve, as --without takes them: "HOOK KIND:NAME".
hooks() {
	sed -nE 's/^sonde: ([a-z._]+): (raw |typed )?tracepoint (.*)$/\1 tracepoint:\3/p; s/^sonde: ([a-z._]+): (k(ret)?probe|fentry|fexit) (.*)$/\1 function:\4/p' \
		"$1" | sort -u
}

# serve NAME ENGINE TOOL WITHOUT: a run; its probes are in $TMP/hooks. 1: it does not serve any more.
serve() {
	load_$3 || return 1
	ids=w
	[ $3 != cachestat ] || ids="w r"
	if ! start s $3 --backend $2 --buffer-pages 1024 --json ${4:+--without "$4"} $(args_$3); then
		refusal=$STATUS
		go $ids
		if [ $refusal != 1 ] || ! grep -qE "can't run on this kernel|can't run here" "$TMP/s.err"; then
			fail "$1" "ended with status $refusal:"
			notes "$TMP/s.err"
		elif [ -z "$4" ]; then
			absent "$1" $2 "$TMP/s.err" || { fail "$1" "does not run:"; notes "$TMP/s.err"; }
		fi
		return 1
	fi
	go $ids
	stop s
	hooks "$TMP/s.err" >"$TMP/hooks"
	lossless "$1-lost" $2 "$TMP/s.out" >"$TMP/lost" || { cat "$TMP/lost"; return 0; }
	check_$3
	same "$1" "$TMP/wanted" "$TMP/got" && echo "#   $(tr '\n' ' ' <"$TMP/hooks")"
}

# A hook's probes are taken away, those that serve it then too, and so on, until the tool can't do without.
for tool in opensnoop execsnoop killsnoop statsnoop tcpconnect tcplife tcpstates biolatency cachestat; do
	for b in $ENGINES; do
		serve $tool-$b $b $tool "" || continue
		for hook in $(cut -d ' ' -f 1 "$TMP/hooks" | sort -u); do
			without= n=0
			# These have one alternative, or are no part of what is counted here.
			case $hook in task.* | exec.done | block.frontmerge | block.issue | block.done) continue ;; esac
			serve $tool-$b-$hook $b $tool "" >"$TMP/again" || { cat "$TMP/again"; break; }
			while [ $n -lt 4 ]; do
				probes=$(sed -n "s/^$hook //p" "$TMP/hooks" | tr '\n' ',')
				[ -n "$probes" ] || break
				without=${without:+$without,}${probes%,}
				n=$((n + 1))
				serve $tool-$b-$hook-$n $b $tool "$without" || break
			done
		done
	done
done
clean left
quiet kernel-log
