# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# kvmexit: a guest whose two virtual CPUs leave it a known number of times: tables, histograms, text.
. "${0%/*}/../lib.sh"

cpuids=1000 outs=20 us=1000

# There may be a module for it, and no processor.
[ -c /dev/kvm ] || modprobe kvm_amd 2>/dev/null || modprobe kvm_intel 2>/dev/null
if ! "$WORK" vm 1 1 0 >"$TMP/vm" 2>&1; then
	skip guest "no guest runs here: $(tail -n 1 "$TMP/vm")"
	exit 0
fi
# Some modules for processors without virtualization (kvm_pvm) run guests, and never hit the tracepoint.
# told: how many exits of a guest the kernel's own text has; nothing where there can be no instance.
told() {
	instance=$TRACEFS/instances/kvmexit-$$
	mkdir "$instance" 2>/dev/null || return 0
	echo 1 >"$instance/events/kvm/kvm_exit/enable"
	"$WORK" vm 10 1 0 >/dev/null
	grep -c ': kvm_exit:' "$instance/trace"
	rmdir "$instance"
}
if has_event kvm kvm_exit && [ "$(told)" = 0 ]; then
	skip events "guests run here without kvm:kvm_exit ($(cd /sys/module && echo kvm*))"
	exit 0
fi

# rows FILE COLUMN...: of what the guest does by itself, by AMD's names, sorted.
rows() {
	fields "$@" | tr A-Z a-z | sed 's/io_instruction/io/' | grep -E '(^|	)(cpuid|io|hlt)	' | sort
}
# wanted N: lines "REASON COUNT" of this virtual CPU, or of all.
wanted() {
	awk -F '\t' -v OFS='\t' -v only="$1" 'only == "" || $4 == only { n++; c += $5; o += $6 }
		END { print "cpuid", c; print "hlt", n; print "io", o }' "$TMP/w.said"
}

for b in $ENGINES; do
	load w "$WORK" vm $cpuids $outs $us
	start_or_skip exits-$b "$(absences $b)" s kvmexit --backend $b --buffer-pages 256 --json -p "$(pid w)" || { go w; continue; }
	start a kvmexit --backend $b --buffer-pages 256 --json -p "$(pid w)" -a -S time
	start d kvmexit --backend $b --buffer-pages 256 --json -p "$(pid w)" -d
	v=
	! grep -q vcpu_id "$TRACEFS/events/kvm/kvm_exit/format" ||
		{ v=v; start v kvmexit --backend $b --buffer-pages 256 --json -p "$(pid w)" -v 1; }
	go w
	for id in s a d $v; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
		lossless lost-$id-$b $b "$TMP/$id.out"
	done
	wanted "" >"$TMP/wanted"
	rows "$TMP/s.out" reason count >"$TMP/got"
	same counts-$b "$TMP/wanted" "$TMP/got"
	awk -F '\t' -v OFS='\t' '{ print $2, $3, "cpuid", $5; print $2, $3, "hlt", 1; print $2, $3, "io", $6 }' \
		"$TMP/w.said" | sort >"$TMP/wanted"
	rows "$TMP/a.out" pid tid reason count >"$TMP/got"
	same threads-$b "$TMP/wanted" "$TMP/got"
	if [ -n "$v" ]; then
		wanted 1 >"$TMP/wanted"
		rows "$TMP/v.out" reason count >"$TMP/got"
		same vcpu-$b "$TMP/wanted" "$TMP/got"
	else
		refused vcpu-$b 'has no vcpu|has no vcpu_id' kvmexit --backend $b -v 1
	fi
	# The process sleeps at each OUT; HLT is the last, so no time is known of it.
	rows "$TMP/s.out" reason count time_us avg_us max_us >"$TMP/got"
	awk -F '\t' -v us=$us '$1 == "io" && ($4 < us || $5 < $4 || $3 < $2 * us) || $1 == "hlt" && $4 != "-" ||
		$1 == "cpuid" && !($3 > 0 && $4 <= $5)' "$TMP/got" >"$TMP/wrong"
	: >"$TMP/none"
	same times-$b "$TMP/none" "$TMP/wrong"
	fields "$TMP/s.out" count_percent time_percent >"$TMP/got"
	between shares-$b 199 "$(awk '{ n += $1 + $2 } END { printf "%.0f\n", n }' "$TMP/got")" 201
	tr A-Z a-z <"$TMP/d.out" | sed 's/io_instruction/io/' >"$TMP/hists"
	equal hist-cpuid-$b $((3 * cpuids)) "$(counted "$TMP/hists" reason cpuid)"
	equal hist-io-$b $((3 * outs)) "$(counted "$TMP/hists" reason io)"
	timeout $((20 * SLOW)) "$SONDE" kvmexit --backend $b -m 4 1 >"$TMP/text" 2>"$TMP/err"
	equal duration-$b 0 $?
	contains heads-$b "$TMP/text" '^KVM_EXIT_REASON +COUNT %COUNT +TIME\(us\)'
done
"$SONDE" kvmexit -d -a >"$TMP/out" 2>"$TMP/err"
equal misuse 2 $?
clean left
quiet kernel-log
