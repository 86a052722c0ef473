# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# offsets: members of the kernel's structs are where its type information says, and found at run time at the same
# places; without either, what needs them is not shown, with the reason. A tool that needs some: tcpconnect's IPv6
# addresses on kernels that have no tracepoint for them.
. "${0%/*}/../lib.sh"

# known FILE: lines "MEMBER OFFSET ORIGIN" of the report.
known() { sed -n '/^offsets$/,/^$/p' "$1" | sed '1d; /^$/d' | awk '{ print $1, $2, $3 }'; }
has_v6() { [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; }
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $4, $5, $6, $8, $9 }' "$@"; }
no_event=tracepoint:sock:inet_sock_set_state

"$SONDE" features --offsets >"$TMP/btf"
equal features 0 $?
"$SONDE" features --offsets --without btf >"$TMP/found"
equal features-without 0 $?
equal members "$(known "$TMP/btf" | wc -l)" "$(known "$TMP/found" | wc -l)"
members=$(known "$TMP/found" | wc -l)
expect some-members [ "$members" -ge 15 ]
"$SONDE" features --offsets --json --without btf >"$TMP/json"
expect json "$WORK" json tools <"$TMP/json"
# What only kernels before 3.13 have; the newest ones have something else of that name, and behind a socket of others may be
# what was there before. No tool asks these for it.
gone=tcp6_sock.inet6.daddr
if has_kprobes; then
	equal all-found "$members" "$(known "$TMP/found" | grep -c -e ' found$' -e "^$gone - unknown\$")" || {
		grep 'not found at run time' "$TMP/found" >"$TMP/unknown"
		notes "$TMP/unknown"
	}
	# As kernels before 4.20 do it: a word at a time, and by registers.
	"$SONDE" features --offsets --without btf,fetch-array,fetch-arg,fetch-ustring >"$TMP/words"
	known "$TMP/found" | grep -v "^$gone " >"$TMP/wanted"
	known "$TMP/words" | grep -v "^$gone " >"$TMP/got"
	same by-words "$TMP/wanted" "$TMP/got" || {
		grep 'not found at run time' "$TMP/words" >"$TMP/unknown"
		notes "$TMP/unknown"
	}
	# As where a compiler left no vfs_read() to probe.
	"$SONDE" features --offsets --without btf,function:vfs_read >"$TMP/seek"
	known "$TMP/seek" | grep -v "^$gone " >"$TMP/got"
	same by-seek "$TMP/wanted" "$TMP/got"
	if [ -e /sys/kernel/btf/vmlinux ]; then
		known "$TMP/btf" | grep -v "^$gone " | sed 's/ btf$//' >"$TMP/wanted"
		known "$TMP/found" | grep -v "^$gone " | sed 's/ found$//' >"$TMP/got"
		same both-ways "$TMP/wanted" "$TMP/got"
	else
		skip both-ways "this kernel has no type information to compare with"
	fi
else
	none='unknown (no BTF, not found at run time (this kernel has no kprobes))$'
	equal none-found "$members" "$(grep -c "$none" "$TMP/found")" || {
		sed -n '/^offsets$/,/^$/p' "$TMP/found" | grep -v "$none" >"$TMP/unknown"
		notes "$TMP/unknown"
	}
fi

# A snapshot keeps them; it can't find any.
"$SONDE" snapshot "$TMP/snapshot"
"$SONDE" features --offsets --snapshot "$TMP/snapshot" >"$TMP/kept"
known "$TMP/btf" >"$TMP/wanted"
known "$TMP/kept" >"$TMP/got"
same snapshot "$TMP/wanted" "$TMP/got"

for b in $ENGINES; do
	if ! has_kprobes; then
		skip tcpconnect-$b "this kernel has no kprobes"
		continue
	fi
	for way in btf found; do
		without=$no_event
		[ $way = btf ] || without=$no_event,btf
		[ $way = found ] || [ -e /sys/kernel/btf/vmlinux ] || continue
		load w4 "$WORK" connects 20 7020 4
		ids=w4
		if has_v6; then
			load w6 "$WORK" connects 20 7020 6
			load r6 "$WORK" connects 3 7021 6 refused
			ids="w4 w6 r6"
		else
			skip ipv6-$b "no ::1 on this machine"
		fi
		start_or_skip tcpconnect-$b-$way '' s tcpconnect --backend $b --without $without --json -P 7020,7021 ||
			{ go $ids; continue; }
		go $ids
		stop s
		: >"$TMP/wanted"
		for id in $ids; do
			wanted_rows "$TMP/$id.said" >>"$TMP/wanted"
		done
		fields "$TMP/s.out" pid comm ip saddr daddr dport >"$TMP/got"
		same tcpconnect-$b-$way "$TMP/wanted" "$TMP/got"
	done

	# Neither known nor found: the functions' arguments tell all but the source.
	if has_v6; then
		load w6 "$WORK" connects 2 7022 6
		start s tcpconnect --backend $b --json -P 7022 \
			--without $no_event,btf,function:tcp_get_info,function:tcp_getsockopt
		go w6
		stop s
		equal unknown-$b 2 "$(grep -c '"saddr":null,"daddr":"::1"' "$TMP/s.out")" || notes "$TMP/s.out"
		contains why-$b "$TMP/s.err" \
			'offset of sock_common.skc_v6_[a-z_]*addr is not known: no BTF, not found at run time \(this kernel has no function'
	fi
done
clean left
quiet kernel-log
