# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Functions whose types the kernel knows (fentry, fexit) serve rows of kprobes, and rows and counts are the same with and
# without them. Where the kernel may skip some of their events, kprobes come first.
. "${0%/*}/../lib.sh"

case " $ENGINES " in *" bpf "*) ;; *) skip functions "no engine bpf here"; exit 0 ;; esac
mkdir "$TMP/files"

# serve NAME WORD TOOL ARGUMENT...: what the tool shows of the workload w, and that WORD and no other kind serves it.
serve() {
	name=$1 word=$2
	shift 2
	start s "$@" --backend bpf -v --json -p "$(pid w)"
	go w
	stop s && equal ends-$name 0 "$STATUS"
	contains kind-$name "$TMP/s.err" "^sonde: [a-z._]+: $word$"
	lossless lost-$name bpf "$TMP/s.out"
}
rows() { fields "$TMP/s.out" pid type bytes file | grep -v '	w.said$'; }

has fentry && functions=yes || functions=no
if [ $functions = no ]; then
	start_or_skip none "$(absences bpf)" s fileslower --backend bpf -v 0 && stop s &&
		equal none 0 "$(grep -cE '^sonde: [a-z._]+: f(entry|exit) ' "$TMP/s.err")"
	exit 0
fi
# the_rows NAME: those of the workload. Those by preadv(2) begin at odd places: some kernels do not show them.
the_rows() {
	awk -F '\t' -v OFS='\t' '$1 == "fileop" && $4 ~ /[RW]/ { print $2, $4, $5, $7 }' "$TMP/w.said" >"$TMP/wanted"
	rows >"$TMP/got"
	! grep -q 'the like are not shown' "$TMP/s.err" && same "$1" "$TMP/wanted" "$TMP/got"
}
has fentry-whole && first=fentry last=fexit || first=kprobe last=kretprobe
load w "$WORK" fileops 2 "$TMP/files"
serve rows "$first vfs_read" fileslower 0
the_rows rows
contains exits "$TMP/s.err" "^sonde: vfs.exit: $last vfs_write$"
# The kernel counts what it skips, and programs of functions skip nothing else.
[ $first = kprobe ] || equal missed 0 "$(reported "$TMP/s.out" missed)"

if has_kprobes; then
	load w "$WORK" fileops 2 "$TMP/files"
	serve rows-without 'kprobe vfs_read' fileslower --without fentry 0
	equal no-fentry 0 "$(grep -cE '^sonde: [a-z._]+: f(entry|exit) ' "$TMP/s.err")"
	the_rows rows-without
	load w "$WORK" fileops 2 "$TMP/files"
	serve rows-behind 'kprobe vfs_read' fileslower --without fentry-whole 0
fi

# Without kprobes the tool runs too. What is skipped for other tasks is said.
load w "$WORK" fileops 2 "$TMP/files"
serve no-kprobes 'fentry vfs_read' fileslower --without kprobes 0
missed=$(reported "$TMP/s.out" missed)
expect counted [ "$missed" -ge 0 ]
[ "$missed" != 0 ] || the_rows no-kprobes
clean left
quiet kernel-log
