# SPDX-License-Identifier: GPL-2.0
#
# packaging/systemd's unit as it is, but for its paths: a systemd of its own, in namespaces, runs it with all that it
# forbids, and all tools of packaging/sonde.conf trace; a reload; the end. The score of systemd-analyze.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9442
PACKAGING=$LIVE/../../packaging
[ -e "$PACKAGING/sonde.conf" ] || {
	skip packaging "packaging/ is not here"
	exit
}
if ! command -v systemd-analyze >/dev/null || ! [ -x /lib/systemd/systemd ]; then
	skip unit "systemd is not installed"
	exit
fi

# Tenths; docs/fleet.md says it.
if systemd-analyze security --help 2>/dev/null | grep -q -e --offline; then
	expect score systemd-analyze security --offline=true --threshold=40 --no-pager "$PACKAGING/systemd/sonde-export.service"
else
	skip score "this systemd-analyze judges no files"
fi

PATH=$PATH:/usr/sbin:/sbin
mkdir "$TMP/unit"
sed "s|/usr/bin/sonde|/run/sonde/sonde|; s|/etc/sonde|/run/sonde|; /^\[Unit\]/a DefaultDependencies=no
	/^\[Service\]/a StandardError=append:/run/sonde/err" "$PACKAGING/systemd/sonde-export.service" >"$TMP/unit/sonde-export.service"
cp "$SONDE" "$TMP/unit/sonde"
{
	echo "--listen 127.0.0.1:$PORT"
	cat "$PACKAGING/sonde.conf"
} >"$TMP/unit/export.conf"
cat >"$TMP/in.sh" <<'SH'
unit=$1
mount -t tmpfs tmpfs /mnt && mkdir /mnt/unit && mount --bind "$unit" /mnt/unit &&
	mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system /run/sonde && mount --move /mnt/unit /run/sonde && umount /mnt &&
	mount -t tmpfs tmpfs /etc/systemd/system && cp /run/sonde/sonde-export.service /run/systemd/system || exit
umount -R /sys/fs/cgroup 2>/dev/null
mount -t cgroup2 cgroup2 /sys/fs/cgroup || {
	mount -t tmpfs tmpfs /sys/fs/cgroup && mkdir /sys/fs/cgroup/unified /sys/fs/cgroup/systemd &&
		mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd && mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified
} || exit
container=sonde exec /lib/systemd/systemd --system --unit=sonde-export.service --log-target=console --log-level=warning
SH
unshare --pid --mount --fork --mount-proc --ipc --uts --propagation private --kill-child sh "$TMP/in.sh" "$TMP/unit" >"$TMP/init.out" 2>"$TMP/init.err" </dev/null &
pid_u=$! running="$running $!"

answers() { page && grep -q '^sonde_tool_up' "$TMP/page"; }
# ctl WORDS...: systemctl of that systemd.
ctl() { nsenter -t "$init" -m -p systemctl --no-pager "$@" 2>>"$TMP/ctl.err"; }
if ! wait_for 30 answers; then
	if [ -s "$TMP/unit/err" ]; then
		fail unit "$(head -n 3 "$TMP/unit/err")"
	else
		skip unit "a systemd of its own does not run here: $(tail -n 2 "$TMP/init.err" "$TMP/init.out")"
	fi
	stop u KILL
	clean left
	exit
fi
init=$(cat "/proc/$pid_u/task/$pid_u/children")
init=${init% }

# What traces without a unit traces with it.
sed '/^#/d; /^$/d' "$PACKAGING/sonde.conf" >"$TMP/lines"
while read -r tool rest; do
	# shellcheck disable=SC2086
	"$SONDE" $tool $rest --duration 1 >"$TMP/try.out" 2>"$TMP/try.err" </dev/null && echo "sonde_tool_up{tool=\"$tool\"} 1"
done <"$TMP/lines" >"$TMP/wanted"
all_up() {
	page
	grep '^sonde_tool_up.* 1$' "$TMP/page" >"$TMP/got"
	[ "$(wc -l <"$TMP/got")" -ge "$(wc -l <"$TMP/wanted")" ]
}
wait_for 30 all_up
same tools-up "$TMP/wanted" "$TMP/got"
equal quiet 0 "$(grep -c -e 'could not find out' -e Read-only -e 'not permitted' "$TMP/unit/err")"
ctl show -p MainPID --value sonde-export >"$TMP/main"
main=$(cat "$TMP/main")
expect main test "${main:-0}" -gt 1
nsenter -t "$init" -m -p sh -c 'grep -h -e ^Uid -e ^CapBnd -e ^Seccomp: -e ^NoNewPrivs /proc/$1/task/$1/status' sh "$main" >"$TMP/status"
contains no-new-privileges "$TMP/status" '^NoNewPrivs:.1$'
contains seccomp "$TMP/status" '^Seccomp:.2$'

# A reload is SIGHUP, and the end is one: its tools take their probes off.
printf '%s\n' "--listen 127.0.0.1:$PORT" exitsnoop >"$TMP/unit/export.conf"
ctl reload sonde-export
one_up() { page && [ "$(grep '^sonde_tool_up' "$TMP/page")" = 'sonde_tool_up{tool="exitsnoop"} 1' ]; }
wait_for 30 one_up
equal reload 0 $?
ctl stop sonde-export
equal end "success 0" "$(ctl show -p Result -p ExecMainStatus --value sonde-export | xargs)"
stop u KILL
clean left
