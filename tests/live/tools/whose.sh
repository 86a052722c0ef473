# SPDX-License-Identifier: GPL-2.0
#
# --container-names: the rows of processes in groups of this test name their containers, those of others do not; of ended
# processes too where the kernel tells groups, and elsewhere nothing is said of them. In each form of output; names with
# escapes; a container that begins and ends meanwhile; on by itself with --container; refusals.
. "${0%/*}/../lib.sh"

tree=$(cgroup2)
digits=$(printf '%064x' $$)
short=${digits%"${digits#????????????}"}
other=$(printf 'c%063x' $$)
bundles=/run/containerd/io.containerd.runtime.v2.task/sonde-test-$$
lxc=$tree/lxc.payload.sonde-$$ docker=$tree/docker-$digits.scope pod=$tree/cri-containerd-$other.scope
red=$tree/$(printf 'lxc.payload.\033[31mred-%s' $$) born=$tree/lxc.payload.born-$$
cleanup_hook() {
	rmdir "$lxc/in" "$lxc" "$docker" "$pod" "$red" "$born" 2>/dev/null
	rm -f "$bundles/$other/config.json"
	rmdir -p "$bundles/$other" 2>/dev/null
}
if [ -z "$tree" ] || ! mkdir "$lxc" "$lxc/in" "$docker" "$pod" "$red" 2>"$TMP/why"; then
	skip whose "no control group of version 2 can be made here"
	clean left
	exit
fi
mkdir -p "$bundles/$other"
cat >"$bundles/$other/config.json" <<END
{"ociVersion": "1.0.2", "annotations": {"io.kubernetes.cri.container-name": "c-$$",
 "io.kubernetes.cri.sandbox-name": "pod-$$", "io.kubernetes.cri.sandbox-namespace": "n"}}
END

# told ENGINE: the kernel tells it the group of a task with the event.
told() {
	case $1 in
	bpf) has bpf-cgroup ;;
	perf) has perf-cgroup && has perf-clockid && ! grep -qE '^[1-9][0-9]*:([a-z,]*,)?perf_event[:,]' /proc/self/cgroup ;;
	*) false ;;
	esac
}

# ends ID: the processes that the load made, which have ended.
ends() { awk -F '\t' '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/$1.said"; }
# rows GROUP NAME ID: what is wanted of them.
rows() { ends "$3" | awk -v group="${1#"$tree"}" -v name="$2" '{ print $1 "\t" name "\t" group }'; }

# ended ENGINE: short lives in three containers, and outside.
ended() {
	for id in in1 in2 in3 out; do load $id "$WORK" execs 5; done
	into "$lxc/in" in1
	into "$docker" in2
	into "$pod" in3
	if ! start_or_skip "ended-$1" "$(absences "$1")" s exitsnoop --backend "$1" --json -K; then
		go in1 in2 in3 out
		return
	fi
	go in1 in2 in3 out
	stop s
	{
		rows "$lxc/in" "sonde-$$" in1
		rows "$docker" "docker:$short" in2
		rows "$pod" "n/pod-$$/c-$$" in3
	} | sort >"$TMP/wanted"
	fields "$TMP/s.out" pid container cgroup | sort >"$TMP/all"
	ends out | sort >"$TMP/outside"
	awk -F '\t' 'NR == FNR { out[$1]; next } $1 in out' "$TMP/outside" "$TMP/all" >"$TMP/others"
	equal "others-$1" 5 "$(wc -l <"$TMP/others")"
	equal "others-name-$1" 0 "$(awk -F '\t' '$2 != "-"' "$TMP/others" | wc -l)"
	cut -f 1 "$TMP/wanted" | awk -F '\t' 'NR == FNR { in_[$1]; next } $1 in in_' - "$TMP/all" >"$TMP/got"
	if told "$1"; then
		same "ended-$1" "$TMP/wanted" "$TMP/got"
	else
		# Only what lived still when its row was printed.
		equal "ended-rows-$1" 15 "$(wc -l <"$TMP/got")"
		awk -F '\t' '$3 != "-"' "$TMP/got" >"$TMP/said"
		mv "$TMP/said" "$TMP/got"
		strange "ended-$1"
	fi
}

# living ENGINE: what processes do that live on, each in its group.
living() {
	start_or_skip "living-$1" "$(absences "$1")" s killsnoop --backend "$1" --json -K --tee "$TMP/tee" || return
	: >"$TMP/wanted"
	lives=
	for row in "$lxc/in sonde-$$" "$docker docker:$short" "$pod n/pod-$$/c-$$"; do
		# shellcheck disable=SC2016
		sh -c 'echo $$ >"$1/cgroup.procs"; kill -0 $$; echo $$ >"$2"; exec sleep 60' sh "${row% *}" "$TMP/id" &
		lives="$lives $!"
		printf '%s\t%s\t%s\n' $! "${row#* }" "$(echo "${row% *}" | sed "s|^$tree||")" >>"$TMP/wanted"
	done
	# shellcheck disable=SC2016
	sh -c 'kill -0 $$; exec sleep 60' &
	lives="$lives $!" out=$!
	sleep 1
	stop s
	# shellcheck disable=SC2086
	kill $lives
	# shellcheck disable=SC2086
	wait $lives 2>/dev/null
	sort -o "$TMP/wanted" "$TMP/wanted"
	fields "$TMP/s.out" pid container cgroup | sort >"$TMP/all"
	awk -F '\t' 'NR == FNR { wanted[$1]; next } $1 in wanted' "$TMP/wanted" "$TMP/all" >"$TMP/got"
	same "living-$1" "$TMP/wanted" "$TMP/got"
	equal "living-out-$1" - "$(awk -F '\t' -v pid=$out '$1 == pid { print $2 }' "$TMP/all")"
	fields "$TMP/tee" pid container cgroup | sort >"$TMP/teed"
	same "tee-$1" "$TMP/all" "$TMP/teed"
}

for b in $ENGINES; do
	ended "$b"
	living "$b"
done

# kills ID GROUP: one that kills nobody in the group, and stays there until killed.
kills() {
	# shellcheck disable=SC2016
	sh -c 'echo $$ >"$1/cgroup.procs"; kill -0 $$; exec sleep 60' sh "$2" &
	eval "$1=$!"
}
# over PID...: they end.
over() {
	kill "$@"
	wait "$@" 2>/dev/null
}
set -- $ENGINES
b=$1
sh -c 'exec sleep 60' &
sleeper=$!

# Text has what the group is called, in front of the task; CSV and JSON the path beside.
if start text killsnoop --backend "$b" -K; then
	kills one "$lxc/in"
	kills two "$red"
	sleep 1
	stop text
	over $one $two
	contains text-head "$TMP/text.out" '^TIME +CONTAINER +PID +COMM '
	contains text-name "$TMP/text.out" "^[0-9:]+ +sonde-$$ +$one +sh "
	contains text-red "$TMP/text.out" "^[0-9:]+ +[\\]x1b\\[31mred-$$ +$two +sh "
	equal text-plain 0 "$(grep -c "$(printf '\033')" "$TMP/text.out")"
else
	fail text "it did not start:"
	notes "$TMP/text.err"
fi
if start csv killsnoop --backend "$b" --csv --container-names; then
	kills one "$lxc/in"
	sleep 1
	stop csv
	over $one
	contains csv-head "$TMP/csv.out" '^TIME,CONTAINER,CGROUP,PID,COMM,'
	contains csv-name "$TMP/csv.out" ",sonde-$$,/lxc.payload.sonde-$$/in,$one,sh,"
fi

# A container that begins, and ends while its rows come: its name is read when it is first seen.
if start born killsnoop --backend "$b" --json -K; then
	mkdir "$born"
	kills one "$born"
	sleep 1
	over $one
	wait_for 5 rmdir "$born"
	stop born
	equal born "born-$$" "$(fields "$TMP/born.out" pid container | awk -F '\t' -v pid=$one '$1 == pid { print $2 }')"
fi

# With a filter that asks for containers the column is there unasked; else it is not.
kills one "$lxc/in"
if start on killsnoop --backend "$b" --container "sonde-$$"; then
	stop on
	contains on-by-itself "$TMP/on.out" '^TIME +CONTAINER +PID '
fi
over $one
if start off killsnoop --backend "$b" -p $sleeper; then
	stop off
	contains off "$TMP/off.out" '^TIME +PID '
fi
over $sleeper

# says NAME STATUS PATTERN ARGS...: refused, and why.
says() {
	name=$1 status=$2 pattern=$3
	shift 3
	"$SONDE" "$@" >"$TMP/out" 2>"$TMP/err"
	equal "$name-status" "$status" $?
	contains "$name" "$TMP/err" "$pattern"
}
says sums 2 'container-names would do nothing: this tool adds up events' filetop --container-names
says hidden 2 'container-names would do nothing with --count: rows are of no single process then' tcpconnect -c -K
says input 2 'container-names and --input exclude each other' killsnoop -K --input nowhere
clean left
