# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# What requests of io_uring do is a row where functions below the system calls can be probed. Elsewhere a line at the end
# says how many requests are not shown.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"
"$WORK" uring 1 "$TMP/dir" >"$TMP/first" 2>&1
if ! grep -q ^uring "$TMP/first"; then
	skip uring "this kernel has no rings of requests (io_uring), or does not allow them"
	exit
fi
# The number of requests of these kinds that the workload has made.
made() { grep -cE "^uring	[0-9]+	($1)	" "$TMP/w.said"; }
# said NAME TOOL: how many are not shown, by the line and by the end object.
not_shown() {
	line=$(sed -n "s/^sonde: $2: \([0-9]*\) [a-z, ]* by io_uring are not shown.*/\1/p" "$TMP/s.err")
	told=$("$WORK" json end.requests <"$TMP/s.out" 2>/dev/null)
	equal "$1-both" "${line:-none}" "${told:-none}"
	echo "${line:-0}" >"$TMP/line"
}

# each TOOL OPS ARGS...: one row of its own process for each request, or each request is counted.
each() {
	tool=$1 ops=$2
	shift 2
	load w "$WORK" uring 5 "$TMP/dir"
	start_or_skip $tool-$b "$(absences $b)" s $tool --backend $b --json -p "$(pid w)" "$@" || { go w; return 1; }
	go w
	stop s && equal $tool-ends-$b 0 "$STATUS"
	not_shown $tool-said-$b $tool
	if [ "$(cat "$TMP/line")" != 0 ]; then
		equal $tool-counted-$b "$(made "$ops")" "$(cat "$TMP/line")"
		return 1
	fi
}

has_event io_uring io_uring_submit_req || has_event io_uring io_uring_submit_sqe || kernel_is_old=1
for b in bpf perf ftrace; do
	[ -n "$kernel_is_old" ] && { skip $b "this kernel has no tracepoint for requests of io_uring"; break; }

	# Results are unknown on rings, and before 6.0.
	if each opensnoop 'openat|openat2'; then
		awk -F '\t' -v OFS='\t' '$1 == "uring" && $3 ~ /^open/ { print $2, $4 < 0 ? -1 : $4, $4 < 0 ? -$4 : 0, $5 }' \
			"$TMP/w.said" | sort >"$TMP/wanted"
		fields "$TMP/s.out" pid fd errno path | grep -F "$TMP/dir" | sort >"$TMP/got"
		if grep -q '	-	-	' "$TMP/got"; then
			awk -F '\t' -v OFS='\t' '{ $2 = $3 = "-"; print }' "$TMP/wanted" >"$TMP/unknown"
			mv "$TMP/unknown" "$TMP/wanted"
		fi
		sort -o "$TMP/wanted" "$TMP/wanted"
		same opensnoop-$b "$TMP/wanted" "$TMP/got"
	fi
	if each statsnoop statx; then
		equal statsnoop-$b "$(made statx)" "$(fields "$TMP/s.out" path | grep -c /ring-)"
	fi
	if each filegone 'renameat|unlinkat'; then
		awk -F '\t' -v OFS='\t' '$1 == "uring" && $3 == "renameat" { print "RENAME", $5, $6 }
			$1 == "uring" && $3 == "unlinkat" { print "DELETE", $5, "-" }' "$TMP/w.said" >"$TMP/wanted"
		fields "$TMP/s.out" action file to | grep turned >"$TMP/got"
		same filegone-$b "$TMP/wanted" "$TMP/got"
	fi
	if each syncsnoop 'fsync|fdatasync' -a; then
		awk -F '\t' '$1 == "uring" && $3 ~ /sync/ { print $3 "()" }' "$TMP/w.said" >"$TMP/wanted"
		fields "$TMP/s.out" call >"$TMP/got"
		same syncsnoop-$b "$TMP/wanted" "$TMP/got"
	fi
	each vfsstat 'read|write|fsync|fdatasync' 100 && fail vfsstat-$b "requests are neither counted nor said"
	each filetop 'read|write' 100 && fail filetop-$b "requests are neither counted nor said"
	each fileslower 'read|write' 0 && fail fileslower-$b "requests are neither counted nor said"

	# No line where nobody has such requests.
	load w "$WORK" opens 1 "$TMP/dir"
	start_or_skip none-$b "$(absences $b)" s opensnoop --backend $b --json -p "$(pid w)" || { go w; continue; }
	go w
	stop s
	not_shown none-$b opensnoop
	equal none-lines-$b 0 "$(cat "$TMP/line")"
done
clean left
quiet kernel-log
