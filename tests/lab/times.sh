#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# times.sh [NAME]...: how long tools take to attach and to give the prompt back, on these kernels and forms of the lab
# (`here` is the running kernel); all of them if none is named. What was measured is kept in build/lab/times/NAME, and
# docs/prompt.md is made of all that is there. Guests take turns; one takes about ten minutes. With TOOLS='NAME...' only
# these tools are measured, and take their places among what is there of the others.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
times=$root/build/lab/times

# merge OLD NEW: what was measured anew in the place of what there was, and what is not among that behind it.
merge() {
	awk 'NR == FNR { new[$1, $2] = $0; order[++n] = $1 SUBSEP $2; next }
		($1, $2) in new { print new[$1, $2]; delete new[$1, $2]; next }
		{ print }
		END { for (i = 1; i <= n; i++) if (order[i] in new) print new[order[i]] }' "$2" "$1" >"$2.all" && mv "$2.all" "$2"
}

# one NAME: called by xargs below.
one() {
	if [ "$1" = here ]; then
		uname -r >"$times/$1.release"
		SONDE=$root/sonde WORK=$root/build/tests/work sh "$here/times" ${TOOLS:-} >"$times/$1.new"
	else
		kind=K=$1
		! grep -qE "^$1[[:space:]]" "$here/forms" || kind="--form $1"
		sh "$here/lab.sh" $kind --add "$here/times" \
			--run 'uname -r; export SONDE=${SONDE:-/lab/sonde} WORK=/lab/work
				ENGINES="bpf perf ftrace" sh ./times '"${TOOLS:-}" >"$times/$1.said"
		head -n 1 "$times/$1.said" >"$times/$1.release"
		sed 1d "$times/$1.said" >"$times/$1.new"
		rm -f "$times/$1.said"
	fi
	if [ "$(awk 'NF == 5' "$times/$1.new" | wc -l)" -gt 0 ]; then
		! [ -n "${TOOLS:-}" -a -s "$times/$1" ] || merge "$times/$1" "$times/$1.new"
		mv "$times/$1.new" "$times/$1"
		echo "$1: $(awk '$4 != "-" { n++; if ($4 > most) most = $4 }
			END { print n + 0 " runs, the prompt after " most + 0 " ms at most" }' "$times/$1")"
	else
		echo "$1: nothing was measured: $(head -n 1 "$times/$1.release")"
		rm -f "$times/$1.new"
	fi
}

# The columns: those kernels and forms that were measured, in the order of their tables.
measured() {
	for name in here $(awk '!/^(#|$)/ { print $1 }' "$here/kernels" "$here/forms"); do
		[ ! -s "$times/$name" ] || echo "$name"
	done
}

document() {
	names=$(measured)
	cat <<-HEAD
	# How long it takes to attach, and until the prompt is back

	Made by \`make lab-times\`, $(date -u +%Y-%m-%d), sonde $(sed -n 's/^VERSION := //p' "$root/Makefile"): each tool through each
	engine, started and ended by Ctrl-C. A cell is \`attached prompt detached\`, in milliseconds: from its start until it
	traces; from its last line until its process has ended and a reader of its output sees the end; from then until the
	last of its probes is taken away, which a process of its own does (sonde(8), SIGNALS). Where that takes less than
	50 ms, it is waited for. \`–\`: the engine can't serve the tool here (docs/kernels.md says why); \`·\`: it was not measured.

	All but the first column are emulated machines, where all takes ten times as long, more or less, as on the real one;
	how busy the machine was that emulated them shows as well. What takes more than 2.5 s to attach and to end is measured up
	to three times, and the quickest is shown.

	HEAD
	for name in $names; do
		case $name in
		here) echo "- here: Linux $(cat "$times/here.release"), $(nproc) CPUs, not emulated" ;;
		*) echo "- $name: Linux $(cat "$times/$name.release")$(awk -v name="$name" '$1 == name && NF > 5 {
			$1 = $2 = $3 = $4 = $5 = ""; sub(/^ */, ""); print " as a form: " $0 }' "$here/forms")" ;;
		esac
	done
	for engine in bpf perf ftrace; do
		printf '\n## %s\n\n' $engine
		for name in $names; do
			awk -v name="$name" -v engine=$engine '$2 == engine { print name, $0 }' "$times/$name"
		done | awk -v names="$(echo $names)" -f "$here/times.awk"
	done
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit 0
fi

[ $# -gt 0 ] || set -- here $(awk '!/^(#|$)/ { print $1 }' "$here/kernels" "$here/forms")
for name; do
	[ "$name" = here ] || grep -qE "^$name[[:space:]]" "$here/kernels" "$here/forms" || {
		echo "no kernel and no form '$name'" >&2
		exit 2
	}
done
mkdir -p "$times"
rm -f "$times"/build-*
# The machines of these kernels.
for arch in $(for name; do
	kernel=$(awk -v form="$name" '$1 == form { print $2 }' "$here/forms")
	awk -v name="${kernel:-$name}" '$1 == name { print $4 }' "$here/kernels"
done | sort -ru); do
	echo "building for $arch"
	{ make -C "$root" ARCH="$arch" deps && make -C "$root" ARCH="$arch" WERROR=1 all work; } >"$times/build-$arch" 2>&1 ||
		echo "sonde can't be built for $arch: $(tail -n 1 "$times/build-$arch")"
done

group=
finish() {
	[ -z "$group" ] || kill -TERM "-$group" 2>/dev/null
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# A group of its own, to be ended as one: xargs alone would leave its children.
printf '%s\n' "$@" | setsid xargs -n 1 -P "$(nproc)" sh "$0" --one &
group=$!
wait $group
group=
document >"$times/prompt.md" && cp "$times/prompt.md" "$root/docs/prompt.md"
