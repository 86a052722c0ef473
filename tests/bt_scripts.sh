#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bt_scripts.sh [FOLDER [SONDE]]: runs each script FOLDER/*.bt for a second on each engine, and prints a table: the engines
# that run it, and the reasons of the others. FOLDER is /usr/sbin, where the package bpftrace of Debian puts its tools.
# Status 1 if a script ends otherwise than with a reason (a crash, a hang); 77, and says SKIP, if there are no scripts.
set -u
folder=${1:-/usr/sbin} sonde=${2:-$(cd "$(dirname "$0")/.." && pwd)/sonde}
status=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

set -- "$folder"/*.bt
if [ ! -e "$1" ]; then
	echo "SKIP bt_scripts: $folder has no scripts (*.bt): the package bpftrace brings some, or name a folder"
	exit 77
fi

# The reason in what sonde said: a mistake's text, or that of the engine.
reason() {
	sed -n -e 's/^bpf: //; s/^perf: //; s/^ftrace: //' -e 's/^sonde: not [a-z]*: //; s/^sonde: bt can.t run here: //' \
		-e 's/^[^ ]*\.bt:[0-9]*:[0-9-]*: ERROR: //' -e '/^sonde: bt can.t run here:$/d' -e '/^sonde: bt: /d' \
		-e '/WARNING/,+2d' -e '/[^ ]/{p;q;}' "$1" | tr '|' '/'
}

# run SCRIPT ENGINE: 0: it runs; 1: the file `why` says why not; 2: something is wrong.
run() {
	timeout -s KILL 60 "$sonde" bt -q --backend "$2" --duration 1 "$1" >"$scratch/out" 2>"$scratch/err" </dev/null
	case $? in
	0) return 0 ;;
	1) reason "$scratch/err" >"$scratch/why"
	   [ -s "$scratch/why" ] && return 1 ;;
	esac
	echo "bt_scripts: $1 on $2 ended otherwise than with a reason:" >&2
	tail -n 5 "$scratch/err" >&2
	return 2
}

echo '| script | engines | others |'
echo '|---|---|---|'
for script; do
	name=${script##*/} engines='' whys=''
	for engine in bpf perf ftrace; do
		run "$script" $engine
		case $? in
		0) engines="$engines${engines:+, }$engine" ;;
		1) why=$(cat "$scratch/why")
		   case $whys in *"$why"*) ;; *) whys="$whys${whys:+; }$why" ;; esac ;;
		*) status=1 ;;
		esac
	done
	echo "| ${name%.bt} | ${engines:-none} | $whys |"
done
exit $status
