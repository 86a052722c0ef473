# SPDX-License-Identifier: GPL-2.0
#
# docs/fleet.md: its commands run as they are, on folders and a network of their own; Prometheus takes its files.
. "${0%/*}/../lib.sh"

ROOT=$LIVE/../..
PAGE=$ROOT/docs/fleet.md

# fences LANGUAGE: what is in the page's blocks of that language, each in a file $TMP/LANGUAGE.N.
fences() {
	awk -v language="$1" -v to="$TMP/$1" '
		/^```/ { inside = !inside && $0 == "```" language; n += inside; next }
		inside { print >(to "." n) }' "$PAGE"
}
[ -e "$PAGE" ] || {
	skip page "the page is not here"
	exit
}
fences sh
fences yaml
if command -v promtool >/dev/null; then
	for f in "$TMP"/yaml.*; do
		case $(head -n 1 "$f") in
		'# prometheus.yml') expect "config-${f##*.}" promtool check config "$f" ;;
		'# prometheus.yml, in the cluster')
			# Debian's own is built without what asks Kubernetes.
			if promtool check config "$f" >"$TMP/promtool" 2>&1 || ! grep -q 'field kubernetes_sd_configs not found' "$TMP/promtool"; then
				expect "config-${f##*.}" promtool check config "$f"
			else
				skip "config-${f##*.}" "this Prometheus does not ask Kubernetes"
			fi
			;;
		'# sonde.rules.yml') expect "rules-${f##*.}" promtool check rules "$f" ;;
		*) fail "config-${f##*.}" "it does not say which file it is" ;;
		esac
	done
else
	skip config "Prometheus is not installed"
fi

for c in unshare curl ip; do
	command -v $c >/dev/null && continue
	skip commands "$c is not installed"
	exit
done
# Folders that the page writes into are overlays; its systemctl is asked nothing here: export_systemd.sh runs the unit.
cat >"$TMP/run" <<'SH'
set -e
at=$1
cd "$2"
shift 2
mount -t tmpfs tmpfs "$at/own"
for folder in /etc /usr/local /var/lib; do
	mkdir -p "$at/own/up$folder" "$at/own/work$folder"
	mount -t overlay -o "lowerdir=$folder,upperdir=$at/own/up$folder,workdir=$at/own/work$folder" overlay $folder || exit 77
done
ip link set lo up || exit 77
mkdir -p /etc/grafana/provisioning/dashboards
PATH=/usr/local/bin:$PATH
systemctl() { echo "$*" >>"$at/systemctl"; }
for script; do
	echo "$script" >"$at/at"
	. "$script"
done >"$at/page.out"
# What is there then.
cmp -s packaging/sonde.conf /etc/sonde/export.conf && cmp -s packaging/grafana/sonde.json /var/lib/grafana/dashboards/sonde.json
grep -qx 'ExecStart=/usr/local/bin/sonde export -f /etc/sonde/export.conf' /etc/systemd/system/sonde-export.service
! command -v systemd-analyze >/dev/null || systemd-analyze verify --man=no /etc/systemd/system/sonde-export.service 2>"$at/verify"
SH
mkdir "$TMP/own" "$TMP/root"
ln -s "$(realpath "$ROOT/packaging")" "$TMP/root/packaging"
ln -s "$(realpath "$SONDE")" "$TMP/root/sonde"
expect blocks test -s "$TMP/sh.1" -a -s "$TMP/sh.4"
timeout 200 unshare --mount --net --propagation private sh "$TMP/run" "$TMP" "$TMP/root" "$TMP"/sh.* >"$TMP/out" 2>"$TMP/err" </dev/null
status=$?
if [ $status = 77 ]; then
	skip commands "no overlay or network of its own here: $(tail -n 1 "$TMP/err")"
elif equal commands 0 $status; then
	contains metrics "$TMP/page.out" '^sonde_tool_up\{tool="[a-z]+"\} 1$'
	printf 'daemon-reload\nenable --now sonde-export\n' >"$TMP/wanted"
	same systemctl "$TMP/wanted" "$TMP/systemctl"
else
	notes "$TMP/err"
	notes "$TMP/at"
fi
clean left
