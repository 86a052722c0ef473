#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# lab.sh K=NAME: runs the live tests on another kernel, in QEMU (without KVM: emulated, slow but the same everywhere).
# lab.sh K=NAME --tests 'NAME...': only these of them.
# lab.sh K=NAME --run 'COMMAND': runs a shell command there instead, prints its output, exits with its status.
# lab.sh --form NAME: a kernel made to look like a poorer one (a row of tests/lab/forms), and that row's tests.
#
# Options before --run: --add FILE puts a file into the guest's folder /lab (repeatable; programs must be static),
# --time SECONDS is how long the guest may take (the variable GUEST_TIME, or 5400), --memory MB, --cpus N, --nodes N of
# NUMA, --append 'PARAMETERS' of the kernel, --bootconfig FILE is its boot configuration, --program PATH puts a program of this machine into the guest's /bin, with its libraries, if
# the guest is of the same machine (repeatable), --results DIR is filled with what the guest leaves in $RESULTS. --icount: one CPU, and a
# nanosecond of the guest's clock is one instruction, so that times are the same whatever this machine does.
#
# K= takes a row of tests/lab/kernels, or one of the images in the folder SONDE_LAB_KERNELS (tests/lab/own.sh). What the
# guest of such a kernel lacks for the tests is said beside them: that is the image's, and no fault of sonde's.
#
# The guest has busybox, /lab/sonde, /lab/work, /lab/work32 and /lab/live as far as they are built for its machine,
# trace-cmd if there is one here and the guest is of the same machine, a loop module, an empty disk of 64 MB (/dev/vda),
# and /tmp in memory; of an own image, on ext4, as kernels before 3.16 probe no files in memory. Its console's log is named where something went wrong. No more guests run at a time than there are
# CPUs here: others wait for their turn.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sonde-lab
name= run= tests= added= limit=${GUEST_TIME:-5400} memory=1024 cpus=2 append= results= form= icount= programs= nodes=1
bootconfig=

usage() { sed -n '/^# lab.sh/,/^$/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }

while [ $# -gt 0 ]; do
	case $1 in
	K=*) name=${1#K=} ;;
	--run) [ $# -eq 2 ] || usage; run=$2; shift ;;
	--tests) [ $# -gt 1 ] || usage; tests=$2; shift ;;
	--add) [ $# -gt 1 ] && [ -f "$2" ] || usage; added="$added $2"; shift ;;
	--program) [ $# -gt 1 ] && [ -x "$2" ] || usage; programs="$programs $2"; shift ;;
	--time) limit=$2; shift ;;
	--memory) memory=$2; shift ;;
	--cpus) cpus=$2; shift ;;
	--nodes) nodes=$2; shift ;;
	--append) append=$2; shift ;;
	--bootconfig) [ $# -gt 1 ] && [ -f "$2" ] || usage; bootconfig=$2; append="$append bootconfig"; shift ;;
	--icount) icount='-icount shift=0,sleep=off' ;;
	--results) results=$2; shift ;;
	--form) [ $# -gt 1 ] || usage; form=$2; shift ;;
	*) usage ;;
	esac
	shift
done
# A form has a kernel, and K= another.
[ -n "$name" ] || name=$(awk -v form="$form" 'form != "" && $1 == form { print $2 }' "$here/forms")
[ -n "$name" ] || usage

skip() {
	echo "SKIP lab:$label: $*"
	exit 77
}
# row TABLE NAME: the columns of a table here.
row() {
	grep -E "^$2[[:space:]]" "$here/$1" || {
		echo "lab: no '$2' in tests/lab/$1; there are: $(awk '!/^(#|$)/ { print $1 }' "$here/$1" | xargs)" >&2
		return 1
	}
}

own=${SONDE_LAB_KERNELS:-}
[ -n "$own" ] && [ -f "$own/$name/vmlinuz" ] && own=$own/$name || own=
arch=$("$here/arch.sh" "$name") || exit 2
columns=$(row machines "$arch") || exit 2
read -r _ cross _ qemu machine cpu console tcg compat <<ROW
$columns
ROW
label=$name without=- program=native engines=
if [ -n "$form" ]; then
	columns=$(row forms "$form") || exit 2
	read -r _ _ without settings wanted _ <<-ROW
	$columns
	ROW
	for setting in $(echo "$settings" | tr ';' ' '); do
		value=${setting#*=}
		case $setting in
		memory=*) memory=$value ;;
		cpus=*) cpus=$value ;;
		nodes=*) nodes=$value ;;
		append=*) append="$append $value" ;;
		engines=*) engines=$value ;;
		sonde=*) program=$value ;;
		-) ;;
		*) echo "lab: form $form: no setting is called $setting" >&2; exit 2 ;;
		esac
	done
	tests=${tests:-$(echo "$wanted" | tr , ' ')}
	label=$form
fi
[ -z "$icount" ] || cpus=1 tcg=single
# NUMA nodes: each has as much memory, and one CPU in turn.
numa=
if [ "$nodes" -gt 1 ]; then
	for n in $(seq 0 $((nodes - 1))); do
		numa="$numa -object memory-backend-ram,id=node$n,size=$((memory / nodes))M -numa node,nodeid=$n,memdev=node$n"
	done
	for c in $(seq 0 $((cpus - 1))); do
		numa="$numa -numa cpu,node-id=$((c % nodes)),socket-id=$c"
	done
	cpus=$cpus,sockets=$cpus
fi
command -v "$qemu" >/dev/null || skip "$qemu is not installed"
command -v cpio >/dev/null || skip "cpio is not installed"

work=$(mktemp -d "${TMPDIR:-/tmp}/sonde-lab.XXXXXX")
pid= tail=
finish() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null
	[ -z "$pid" ] || wait "$pid" 2>/dev/null
	# What shows the output ends with the guest.
	[ -z "$tail" ] || wait "$tail"
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# fetch WHAT NAME: its folder in the cache, as $fetched.
fetch() {
	fetched=$("$here/fetch.sh" "$@" 2>"$work/why")
	case $? in
	0) ;;
	77) skip "$(tail -n 1 "$work/why")" ;;
	*) echo "FAIL lab:$label: can't fetch $*: $(tail -n 3 "$work/why")"; exit 1 ;;
	esac
}
if [ -n "$own" ]; then
	kernel=$own
else
	fetch kernel "$name"
	kernel=$fetched
fi
fetch userland "$arch"
busybox=$fetched/bin/busybox

# What is built for this machine: natively in build/, for others where the Makefile's ARCH= puts it.
native=$(gcc -dumpmachine 2>/dev/null | sed 's/-.*//')
case $cross in
"$native"-*) built=$build sonde=${SONDE:-$root/sonde} ;;
*) built=$build/${cross%-} sonde=$build/${cross%-}/sonde.stripped ;;
esac

[ "$sonde" = "${SONDE:-$root/sonde}" ] && programs="$programs $(command -v trace-cmd)" || programs=

# The sonde of the machine whose programs this one runs beside its own.
if [ $program = compat ]; then
	[ "$compat" != - ] || skip "$arch runs no other machine's programs"
	columns=$(row machines "$compat") || exit 2
	sonde=$build/$(echo "$columns" | awk '{ sub(/-$/, "", $2); print $2 }')/sonde.stripped
	[ -f "$sonde" ] || skip "sonde is not built for $compat: \`make ARCH=$compat deps\`, then \`make ARCH=$compat all\` does"
fi

# The guest's files.
guest=$work/guest
mkdir -p "$guest/bin" "$guest/sbin" "$guest/dev" "$guest/proc" "$guest/sys" "$guest/tmp" "$guest/root" "$guest/etc" \
	"$guest/lab"
cp "$busybox" "$guest/bin/busybox"
cp "$here/init" "$guest/init"
printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$guest/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$guest/etc/group"
printf '127.0.0.1 localhost\n::1 localhost\n' >"$guest/etc/hosts"
cp -r "$kernel/lib" "$guest/"
for f in "$built/tests/work" "$built/tests/work32" "$sonde" $added; do
	[ ! -f "$f" ] || cp "$f" "$guest/lab/"
done
# Each has its libraries in a place where nothing else finds them.
for path in $programs; do
	file=${path##*/} home=/lab/programs/${path##*/}
	mkdir -p "$guest$home"
	loader=$(ldd "$path" | awk '$1 ~ /^\// && $2 != "=>" { print $1 }')
	cp -L "$path" "$loader" $(ldd "$path" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }') "$guest$home/"
	printf '#!/bin/sh\nexec %s/%s --library-path %s %s/%s "$@"\n' "$home" "${loader##*/}" "$home" "$home" "$file" \
		>"$guest/bin/$file"
	chmod +x "$guest/bin/$file"
done
[ ! -f "$guest/lab/sonde.stripped" ] || mv "$guest/lab/sonde.stripped" "$guest/lab/sonde"
cp -r "$root/tests/live" "$guest/lab/live"
# The guest has no programs that make file systems; unpacked, an image is larger than the rest together.
mkdir "$guest/lab/live/images"
for type in ext4 xfs btrfs f2fs; do
	! sh "$here/image.sh" "$type" "$work/image" 2>/dev/null || gzip -9 <"$work/image" >"$guest/lab/live/images/$type.gz"
	rm -f "$work/image"
done
# In a form, sonde is called through a script, and the command is an argument of what sets the guest up.
traced=/lab/sonde enter=
if [ -n "$form" ]; then
	cp "$here/forms.d/as-formed" "$guest/lab/as-formed"
	traced=/lab/as-formed enter="env FORM=$form sh ./form"
	[ "$without" = - ] || enter="env WITHOUT=$without $enter"
	[ -z "$engines" ] || enter="env ENGINES=$engines $enter"
	cp "$here/forms.d/$form" "$guest/lab/form" 2>/dev/null || echo 'exec "$@"' >"$guest/lab/form"
fi
if [ -n "$run" ] && [ -n "$form" ]; then
	printf '%s\n' "$run" >"$guest/lab/run"
	echo "export LAB=1 SONDE=$traced WORK=/lab/work; exec $enter sh ./run" >"$guest/lab/command"
elif [ -n "$run" ]; then
	printf '%s\n' "$run" >"$guest/lab/command"
else
	[ -f "$guest/lab/sonde" ] && [ -f "$guest/lab/work" ] ||
		skip "sonde is not built for $arch: \`make ARCH=$arch deps\`, then \`make ARCH=$arch all work\` does"
	cat >"$guest/lab/command" <<-LIVE
	export LAB=1 SONDE=$traced WORK=/lab/work SLOW=${SLOW:-4} BRIEF=${BRIEF:-} SOAK=${SOAK:-} ENGINES='${ENGINES:-}'
	$traced features --json >\$RESULTS/features.json 2>/dev/null
	exec $enter sh live/run.sh $tests
	LIVE
fi
chmod -R a+rX "$guest"
(cd "$guest" && find . | cpio -o -H newc -R 0:0 --quiet) >"$work/initramfs"
# Behind the files: the text, zeros up to a multiple of 4, its size and the sum of its bytes, of 32 bits each, and a mark.
if [ -n "$bootconfig" ]; then
	cp "$bootconfig" "$work/bootconfig"
	size=$((($(wc -c <"$work/initramfs") + $(wc -c <"$bootconfig") + 3) / 4 * 4 - $(wc -c <"$work/initramfs")))
	truncate -s $size "$work/bootconfig"
	od -A n -t u1 -v "$work/bootconfig" | awk -v size=$size '
		function put(n,  i) { for (i = 0; i < 4; i++) { printf "\\%03o", n % 256; n = int(n / 256) } }
		{ for (i = 1; i <= NF; i++) sum += $i }
		END { put(size); put(sum % 4294967296); print "#BOOTCONFIG" }' >"$work/foot"
	{ cat "$work/bootconfig"; printf "$(cat "$work/foot")\n"; } >>"$work/initramfs"
fi
truncate -s 64M "$work/disk"
# Of an image that may not boot, all is wanted that the kernel says.
quiet=${VERBOSE:-quiet} folder=
if [ -n "$own" ]; then
	quiet=
	sh "$here/image.sh" ext4 "$work/folder" 512M 2>/dev/null &&
		folder="-drive file=$work/folder,format=raw,if=none,id=folder -device virtio-blk,drive=folder"
fi

# A turn: one of as many locks as there are CPUs; held until this script ends.
mkdir -p "$cache/turns"
while :; do
	for turn in $(seq "$(nproc)"); do
		exec 9>"$cache/turns/$turn"
		flock -n 9 && break 2
	done
	sleep 1
done

# pdeathsig: nothing stays behind even where this script is killed by force.
# no_timer_check (x86): on a busy host the test of the timer goes wrong, and the kernel panics.
bound=$(command -v setpriv >/dev/null && echo "setpriv --pdeathsig")
started=$(date +%s)
${bound:+$bound TERM} timeout -k 5 "$limit" ${bound:+$bound KILL} \
	"$qemu" -accel "tcg,thread=$tcg" -machine "$machine" -cpu "$cpu" -smp "$cpus" -m "$memory" $numa $icount \
	-display none -monitor none -nodefaults -no-reboot -serial "file:$work/console" \
	-device virtio-serial \
	-chardev "file,id=output,path=$work/output" -device virtserialport,chardev=output,name=output \
	-chardev "file,id=results,path=$work/results" -device virtserialport,chardev=results,name=results \
	-drive "file=$work/disk,format=raw,if=none,id=disk" -device virtio-blk,drive=disk $folder \
	-kernel "$kernel/vmlinuz" -initrd "$work/initramfs" \
	-append "console=$console panic=-1 no_timer_check $quiet $append" \
	</dev/null >"$work/qemu" 2>&1 9>&- &
pid=$!
: >>"$work/output"
# Verdicts say where they come from.
prefix=$([ -n "$run" ] || echo "s/^\\(PASS\\|FAIL\\|SKIP\\|--\\) /&lab:$label:/")
tail -n +1 -s 0.1 -f --pid=$pid "$work/output" 2>/dev/null | sed -u "$prefix" &
tail=$!
wait $pid
code=$?
pid=
wait $tail
tail=

mkdir -p "$work/left"
# A guest without ports said it all on its console, between lines of its first program's.
tr -d '\r' <"$work/console" >"$work/said"
part() { sed -n "/^@@ $1\$/,/^@@ /{/^@@ /d;p;}" "$work/said"; }
if grep -q '^@@ output$' "$work/said"; then
	part output | sed "$prefix"
	part results | base64 -d 2>/dev/null | gzip -dc >"$work/results" 2>/dev/null
fi
tar -x -C "$work/left" -f "$work/results" 2>/dev/null
status=$(sed -n 's/^exit \([0-9]*\).*/\1/p' "$work/left/status" 2>/dev/null)
if [ -n "$results" ]; then
	mkdir -p "$results"
	cp -r "$work/left/." "$results/"
fi
[ -n "$run" ] || sed "s/^/-- lab:$label: the guest has /" "$work/left/lacks" 2>/dev/null
if [ -z "$status" ]; then
	mkdir -p "$build/lab"
	log=$build/lab/$label.console
	cat "$work/qemu" "$work/said" >"$log" 2>/dev/null
	why="the guest ended without a result"
	if [ -s "$work/qemu" ] && [ ! -s "$work/said" ]; then
		why="the emulator does not take this kernel"
	elif [ ! -s "$work/said" ]; then
		why="the kernel said nothing on its console ($console): it did not begin, or has no driver for it"
	elif ! grep -q '^@@ begun' "$work/said"; then
		why="the kernel did not get as far as the guest's first program"
	elif [ $code -eq 124 ]; then
		why="the guest took more than $limit s and was stopped"
	fi
	echo "FAIL lab:$label: $why (after $(($(date +%s) - started)) s; its console: $log)"
	grep -v '^@@' "$log" | tail -n 8 | cut -c 1-200 | sed 's/^/# /'
	exit 1
fi
exit "$status"
