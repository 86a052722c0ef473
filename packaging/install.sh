#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# install.sh install|uninstall MODE:FILE:PLACE...: puts FILE at PLACE below $DESTDIR, or removes what is there. MODE is
# that of the file, or link: then PLACE becomes a relative link to FILE, which is a place too. What others put where a
# link should be stays. Or conf: of a file that users change, which is put where there is none, and removed unchanged.
set -eu
what=$1
root=${DESTDIR:-}
shift

# relative DIR PLACE: sets way, from DIR to PLACE.
relative() {
	from=$1 up=
	while [ "${2#"$from"/}" = "$2" ]; do
		from=${from%/*}
		up=../$up
	done
	way=$up${2#"$from"/}
}

# ours PLACE TARGET: nothing there, or this link.
ours() {
	if [ -L "$root$1" ]; then
		[ "$(readlink "$root$1")" = "$2" ]
	else
		[ ! -e "$root$1" ]
	fi
}

put() {
	case $1 in
	link) ;;
	conf)
		[ -e "$root$3" ] || install -D -m 644 "$2" "$root$3"
		return
		;;
	*)
		install -D -m "$1" "$2" "$root$3"
		return
		;;
	esac
	relative "${3%/*}" "$2"
	if ours "$3" "$way"; then
		[ -d "$root${3%/*}" ] || mkdir -p "$root${3%/*}"
		ln -sf "$way" "$root$3"
	else
		echo "left alone: $root$3 is not sonde's" >&2
	fi
}

remove() {
	if [ "$1" = link ]; then
		relative "${3%/*}" "$2"
		ours "$3" "$way" || return 0
	fi
	if [ "$1" = conf ] && [ -e "$root$3" ] && ! cmp -s "$2" "$root$3"; then
		echo "left alone: $root$3 was changed" >&2
		return
	fi
	rm -f "$root$3"
}

# Folders of sonde's own; below DESTDIR all that are empty now.
remove_empty() {
	dir=${1%/*}
	while [ -n "$dir" ] && case $dir in */sonde | */sonde/*) true ;; *) [ -n "$root" ] ;; esac; do
		rmdir "$root$dir" 2>/dev/null || [ ! -e "$root$dir" ] || break
		dir=${dir%/*}
	done
}

for f in "$@"; do
	mode=${f%%:*} f=${f#*:}
	case $what in
	install) put "$mode" "${f%%:*}" "${f#*:}" ;;
	uninstall) remove "$mode" "${f%%:*}" "${f#*:}" ;;
	esac
done
if [ "$what" = uninstall ]; then
	for f in "$@"; do
		echo "${f##*:}"
	done | sed 's|[^/]*$||' | sort -ru | while read -r dir; do
		remove_empty "$dir"
	done
fi
sonde=${1#*:}
echo "  $(echo "$what" | tr a-z A-Z) $root${sonde#*:} and what belongs to it"
