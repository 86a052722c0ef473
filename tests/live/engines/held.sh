# SPDX-License-Identifier: GPL-2.0
#
# The kernel has one lock for all that is made and removed in tracefs, and whoever removes probes holds it for seconds.
# Meanwhile sonde reads its rings, and stops when it is told to.
. "${0%/*}/../lib.sh"

has uprobes || { skip held "$(feature uprobes 3)"; exit 0; }
case " $ENGINES " in *" ftrace "*) ;; *) exit 0 ;; esac

group=held_$$
instance=$TRACEFS/instances/$group
# Probes of a program that nobody runs: they are never hit, and it takes the kernel long to remove them.
cp "$WORK" "$TMP/program"
awk -v group="$group" -v file="$TMP/program" 'BEGIN {
	for (i = 0; i < 40; i++)
		printf "p:%s/p%d %s:0x%x\n", group, i, file, 4096 + 16 * i }' >"$TMP/probes"
cleanup_hook() {
	wait
	[ ! -d "$instance" ] || rmdir "$instance"
	sed 's/^p:\([^ ]*\) .*/-:\1/' "$TMP/probes" | while read -r line; do
		echo "$line" >>"$TRACEFS/uprobe_events"
	done 2>/dev/null
}
while read -r line; do
	echo "$line" >>"$TRACEFS/uprobe_events" || { fail probes "can't make $line"; exit; }
done <"$TMP/probes"

# hold: somebody holds the lock; $holder says who, and $TMP/held for how many ms, when it is over.
hold() {
	mkdir "$instance" && echo 1 >"$instance/events/$group/enable" || { fail held "can't make $instance"; exit; }
	[ -e "$instance/tracing_cpumask" ] && masks=1 || masks=
	rm -f "$TMP/held"
	{
		begun=$(cut -d ' ' -f 1 /proc/uptime)
		rmdir "$instance"
		echo "$begun $(cut -d ' ' -f 1 /proc/uptime)" | awk '{ print int(($2 - $1) * 1000) }' >"$TMP/held.new"
		mv "$TMP/held.new" "$TMP/held"
	} &
	holder=$!
	sleep 0.1	# until it is in the kernel
}

# The ring of new tasks and their names has room for some hundred: they end as others.
start_or_skip rows "$(absences ftrace)" s exitsnoop --backend ftrace --json --name work || exit
load w "$WORK" build 500 2
hold
go w
wait $holder
ms=$(cat "$TMP/held")
stop s
echo "# the lock was held for $ms ms"
rows=$(fields "$TMP/s.out" pid ppid | family w | wc -l) lost=$(unseen "$TMP/s.out")
wanted=$(awk '$1 == "child" || $1 == "parent" { n++ } END { print n + 1 }' "$TMP/w.said")
# A machine that is slower than all time limits may lose some, and says so.
between rows $((wanted - lost)) "$rows" "$wanted"
between lost 0 "$lost" $((wanted / 10))

# To stop takes no longer than without; of probes, the count of what they missed has to wait.
stop_ms() {
	begun=$(cut -d ' ' -f 1 /proc/uptime)
	stop s
	echo "$begun $(cut -d ' ' -f 1 /proc/uptime)" | awk '{ print int(($2 - $1) * 1000) }'
}
start s runqlat --backend ftrace || exit
usual=$(stop_ms)
start s runqlat --backend ftrace || exit
hold
stop s
if [ ! -e "$TMP/held" ]; then
	pass stops
elif [ "$(cat "$TMP/held")" -lt $((2 * usual + 500)) ]; then
	skip stops "to stop takes $usual ms here, and the lock was held for $(cat "$TMP/held") ms only"
elif [ -z "$masks" ]; then
	skip stops "instances of this kernel trace all CPUs"
else
	fail stops "sonde waited until $(cat "$TMP/held") ms had passed"
fi
wait $holder

clean left
