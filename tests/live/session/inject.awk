# SPDX-License-Identifier: GPL-2.0
#
# Judges what inject.sh made sonde do: a list of the run without a failure, then cases. Of each that is wrong it prints a line
# VERDICT, KEY, NUMBER, ERRNO, HOW, and what sonde said:
#
# ROWS    without a failure the rows are not the known ones
# FALSE   status as without a failure, other rows, and nothing that says so
# UNSAID  another status, and no line that tells of the error
# UNTRUE  it says of the kernel, or of what it was asked about, what the error does not say
# STATUS  another status than of a failure
# HANG, DIED, LEFT   it did not end, a signal ended it, it left a process or something in tracefs

# What is compared of a line.
function row(line) {
	if (line !~ keep)
		return ""
	if (drop != "-")
		gsub(drop, "", line)
	return line
}
# What a line of `features` says behind the tool and its engine.
function reason(r) {
	return substr(r, 24)
}
function add(line,   r) {
	r = row(line)
	if (r == "")
		return
	if (wanted != "+" || !(r in had)) {
		# Those of one time may come in another order.
		had[r]
		rows[r]++
		n_rows++
		# The reason may be that of another line: "as TOOL" stands for it, and it is said once.
		if (wanted == "all" && !(r in known))
			odd = odd " / " (reason(r) in reasons ? substr(r, 1, 22) : r)
	}
}
function reset(   r) {
	for (r in had)
		delete had[r]
	for (r in rows)
		delete rows[r]
	n_rows = 0
	said = odd = ""
}
function complete(   r) {
	if (n_rows != known_rows)
		return 0
	for (r in known)
		if (rows[r] != known[r])
			return 0
	return 1
}
function plain(line) {
	gsub(/[0-9]+/, "#", line)
	return line
}
function wrong(what) {
	print what, key, number, error, how, said odd
	n_wrong++
}
# Whether it says of the kernel, or of what was asked for, what only some errors say.
function untrue() {
	if (error ~ /^(ENOENT|ENOSYS|ESRCH|ENODEV)$/ || (key ~ /^. (bpf|perf_event_open|ioctl|prctl|personality|seccomp) / && error ~ /^(EINVAL|E2BIG)$/))
		return 0
	return (said odd) ~ /kernel has no [^m]|kernel lacks|kernel takes no|does not exist|[Nn]o such|not found|built without|kernel can.t|older than|not an? /
}
# Whether it tells of the error: in its words, or in those of what a user can do about it.
function tells() {
	if (error == "ENOENT" && (said odd) ~ /has no|knows no|no such|not there|missing|can.t run here|can.t be read/)
		return 1
	if (error == "EPIPE" && key ~ /<pipe/ && (said odd) ~ /process ended/)
		return 1
	if (error == "E2BIG" && (said odd) ~ /is full/)
		return 1
	return index(tolower(said odd), tolower(text)) || (error in words && (said odd) ~ words[error]) ||
		(key ~ /^. (bpf|perf_event_open|ioctl) / && error ~ /^(EINVAL|E2BIG|ENOENT|EBUSY|EAGAIN)$/ && (said odd) ~ /kernel|BPF/)
}
function losses() {
	return (said odd) ~ /lost|left out|missing|not shown|can.t|could not|unknown|did not|incomplete|without/
}
function judge(   same) {
	n++
	if (!reached)
		n_unreached++
	if (left > 0)
		wrong("LEFT")
	if (how == "hang")
		wrong("HANG")
	else if (how ~ /^left/)
		wrong("LEFT")
	else if (how ~ /^signal/)
		wrong("DIED")
	else if (how == usual) {
		if (untrue())
			wrong("UNTRUE")
		else if (complete())
			n_same++
		else if (tells() || losses())
			n_said++
		# Without type information stacks lack callers that have no frame, as docs/stacks.md says.
		else if (error ~ /^(ENOENT|EACCES)$/ && key ~ /access .*btf\/vmlinux/ && keep ~ /main|work/)
			n_same++
		# No such tracepoint: a call that this kernel does not have, so nobody makes it.
		else if (error == "ENOENT" && key ~ /tracing\/events\/.*format/)
			n_same++
		# A kernel without this kind of map, or without names of maps: `features` tells what tools take there.
		else if (wanted == "all" && key ~ /^. bpf 0 / && error ~ /^(EINVAL|E2BIG)$/)
			n_same++
		else
			wrong("FALSE")
	# The user named a tracepoint that is not there.
	} else if (how == "exit 2" && error == "ENOENT" && key ~ /tracing\/events\/.*format/)
		n_refused++
	else if (how !~ /^exit (1|126|127)$/)
		wrong("STATUS")
	else if (untrue())
		wrong("UNTRUE")
	else if (!tells())
		wrong("UNSAID")
	else
		n_refused++
}
BEGIN {
	OFS = " | "
	words["ENOMEM"] = "memory"
	words["EMFILE"] = words["ENFILE"] = "open files|descriptors"
	words["EPERM"] = words["EACCES"] = "root|CAP_|permi|forbid|policy|lockdown|may not"
	words["EINTR"] = "nterrupted"
}
FNR == 1 { file++ }
file == 1 && $1 == "ended" { usual = $2 }
file == 1 && $1 == "out" { add(substr($0, 5)) }
file == 1 && $1 == "err" { usually[plain(substr($0, 5))] }
file == 1 { next }
!begun {
	begun = 1
	for (r in rows) {
		known[r] = rows[r]
		reasons[reason(r)]
	}
	known_rows = n_rows
	if ((wanted ~ /^[0-9]/ && n_rows != wanted) || (wanted == "+" && n_rows != 1) || (wanted == "all" && !n_rows)) {
		key = "none"
		said = n_rows " rows"
		for (r in rows)
			said = said " / " r
		wrong("ROWS")
	}
}
$1 == "case" {
	reset()
	key = $2; number = $3; error = $4; text = $5; how = $6; reached = $7; left = $8
}
$1 == "out" { add(substr($0, 5)) }
# Comes and goes with what else runs.
$1 == "err" && /most stacks of user space have one function only/ { next }
# A row that is not there may be of a switch that the kernel did not record: with the failure or without, sonde says so.
$1 == "err" && (/the kernel did not record/ || !(plain(substr($0, 5)) in usually)) { said = said " / " substr($0, 5) }
$1 == "end" { judge() }
END {
	printf "%d cases: %d as without it, %d said what is missing, %d refused, %d wrong; %d calls did not come\n", n, n_same,
		n_said, n_refused, n_wrong, n_unreached
}
