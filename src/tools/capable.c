// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/capable.h"

#include "src/tools.h"

struct row {
	int64_t clock, uid, pid, tid, cap, audit, insetid;
	struct text comm, name;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define AUDIT_HELP "1: a refusal would be audited; 0: the kernel only asks"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, AT(clock), .help = "time of day" },
	{ "UID", "uid", COLUMN_INTEGER, -6, AT(uid), .help = "user id" },
	{ "PID", "pid", COLUMN_INTEGER, -6, AT(pid), .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -6, AT(tid), .option = "extra", .help = "thread id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of the task" },
	{ "CAP", "cap", COLUMN_INTEGER, -4, AT(cap), .help = "number of the capability" },
	{ "NAME", "name", COLUMN_TEXT, -20, AT(name), .help = "its name; -: newer than sonde" },
	{ "AUDIT", "audit", COLUMN_INTEGER, 0, AT(audit), .unless = "extra", .help = AUDIT_HELP },
	{ "AUDIT", "audit", COLUMN_INTEGER, -6, AT(audit), .option = "extra", .help = AUDIT_HELP },
	{ "INSETID", "insetid", COLUMN_INTEGER, 0, AT(insetid), .option = "extra", .help = "1: asked by setuid() and its kin" },
	{ }
};

static const struct option options[] = {
	{ 'v', "all", "checks that are not audited, too", OPTION_FLAG },
	{ 'x', "extra", "columns TID and INSETID", OPTION_FLAG },
	{ 0, "unique", "each capability of a process once", OPTION_FLAG },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde capable", "which privileges are asked for, and by whom" },
	{ "sonde capable --unique --exec ./server", "those that a program needs" },
	{ }
};

/* The same on all kernels; new ones are added at the end. */
static const char *const names[] = {
	"CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP",
	"LINUX_IMMUTABLE", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_ADMIN", "NET_RAW", "IPC_LOCK", "IPC_OWNER",
	"SYS_MODULE", "SYS_RAWIO", "SYS_CHROOT", "SYS_PTRACE", "SYS_PACCT", "SYS_ADMIN", "SYS_BOOT", "SYS_NICE",
	"SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "MKNOD", "LEASE", "AUDIT_WRITE", "AUDIT_CONTROL", "SETFCAP",
	"MAC_OVERRIDE", "MAC_ADMIN", "SYSLOG", "WAKE_ALARM", "BLOCK_SUSPEND", "AUDIT_READ", "PERFMON", "BPF",
	"CHECKPOINT_RESTORE",
};

static int prepare(struct run *r, struct error *err)
{
	(void)err;
	run_constant(r, "audited", !option_number(run_options(r), "all"));
	return 0;
}

static void checked(struct run *r, const void *record, uint32_t size)
{
	const struct capable_record *rec = record;
	char name[32];
	struct row row;

	if (size < sizeof(*rec))
		return;
	row = (struct row){
		.clock = run_wall_clock(r, rec->time),
		.uid = run_has_input(r, "cap.check", "uid") ? rec->uid : NOTHING,
		.pid = tgid_of(rec->pid_tgid), .tid = tid_of(rec->pid_tgid), .cap = rec->cap,
		.audit = rec->audit == CAPABLE_UNKNOWN ? NOTHING : rec->audit,
		.insetid = rec->insetid == CAPABLE_UNKNOWN ? NOTHING : rec->insetid,
		.comm = comm_text(rec->comm),
	};
	if (rec->cap >= 0 && (size_t)rec->cap < sizeof(names) / sizeof(names[0])) {
		snprintf(name, sizeof(name), "CAP_%s", names[rec->cap]);
		row.name = text_of(name, sizeof(name));
	}
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.4) | bpf: [15] (6.18) | perf, ftrace: [2] |
 *	    perf, ftrace (6.18): [2] [15] */
TOOL(capable, "processes", "trace checks of capabilities: who asks for which privilege",
	.shape = SHAPE_EVENTS,
	.programs = &capable_programs,
	.options = options,
	.columns = columns,
	.examples = examples,
	.prepare = prepare,
	.record = checked,
);
