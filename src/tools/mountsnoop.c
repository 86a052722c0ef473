// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/mountsnoop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "src/run/tools.h"
#include "src/toolkit/numbered.h"

struct row {
	const struct mount_done *record;
	int64_t mnt_ns, flags, fd;
	struct text line, source, target, fs, key, data;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time",
	  .readers = FOR_MACHINES, .help = "time of day of the return" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid", .help = "thread id" },
	{ "PCOMM", "pcomm", COLUMN_TEXT, -16, .field = "pcomm",
	  .option = "parent", .help = "name of the parent" },
	{ "PPID", "ppid", COLUMN_INTEGER, -7, .field = "ppid",
	  .option = "parent", .help = "process id of the parent" },
	{ "MNT_NS", "mnt_ns", COLUMN_INTEGER, -11, AT(mnt_ns), .role = IS_IDENTITY,
	  .help = "number of the task's mount namespace" },
	{ "CALL", "line", COLUMN_TEXT, 0, AT(line),
	  .help = "the call and the returned value; [?]: could not be read" },
	{ "FUNCTION", "call", COLUMN_TEXT, 0, .field = "call",
	  .readers = FOR_MACHINES, .help = "the parts of the call: this column and the next, in "
		  "JSON and CSV" },
	{ "SOURCE", "source", COLUMN_TEXT, 0, AT(source), .readers = FOR_MACHINES },
	{ "TARGET", "target", COLUMN_TEXT, 0, AT(target), .readers = FOR_MACHINES },
	{ "FS", "fs", COLUMN_TEXT, 0, AT(fs), .readers = FOR_MACHINES },
	{ "KEY", "key", COLUMN_TEXT, 0, AT(key), .readers = FOR_MACHINES },
	{ "DATA", "data", COLUMN_TEXT, 0, AT(data), .readers = FOR_MACHINES },
	{ "FLAGS", "flags", COLUMN_INTEGER, 0, AT(flags), .role = IS_LABEL,
	  .readers = FOR_MACHINES },
	{ "FD", "fd", COLUMN_INTEGER, 0, AT(fd), .readers = FOR_MACHINES },
	{ "RET", "ret", COLUMN_INTEGER, 0, .field = "ret", .readers = FOR_MACHINES },
	{ }
};

static const struct part parts[] = {
	{ &mount_done_layout, AT(record), .pointer = true },
	{ }
};

static const struct option options[] = {
	{ 'P', "parent", "show the parent process", OPTION_FLAG, .alias = "parent_process" },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde mountsnoop", "mounts, with their tasks" },
	{ "sonde mountsnoop -P --name umount", "calls of umount, with their tasks" },
	{ }
};

/*
 * How each call is shown. Of `args` a letter is an argument: 0 to 3 a text; A to D a number that is
 * a descriptor; a to d a number that is flags; m and u the flags of mount and umount; k the command
 * of fsconfig, v its value; i a plain number; s what mount_setattr sets and clears. `flags` is the
 * number that is flags, -1: none; `fd` says that the first number is a descriptor.
 */
static const struct {
	const char *args;
	int flags;
	bool fd;
} calls[MOUNT_CALLS] = {
	[CALL_MOUNT] = { "012m3", 0 },
	[CALL_UMOUNT] = { "1u", 0 },
	[CALL_FSOPEN] = { "2a", 0 },
	[CALL_FSPICK] = { "A1b", 1, true },
	[CALL_FSCONFIG] = { "Ak0vi", -1, true },
	[CALL_FSMOUNT] = { "Abc", 1, true },
	[CALL_MOVE_MOUNT] = { "A0B1c", 2, true },
	[CALL_OPEN_TREE] = { "A1b", 1, true },
	[CALL_MOUNT_SETATTR] = { "A1bs", 1, true },
};

#define SET_BINARY 2			/* a command of fsconfig whose value is no text */
static const char *const commands[] = {
	"FSCONFIG_SET_FLAG", "FSCONFIG_SET_STRING", "FSCONFIG_SET_BINARY", "FSCONFIG_SET_PATH",
	"FSCONFIG_SET_PATH_EMPTY", "FSCONFIG_SET_FD", "FSCONFIG_CMD_CREATE",
	"FSCONFIG_CMD_RECONFIGURE", "FSCONFIG_CMD_CREATE_EXCL",
};

/* By bit. */
static const char *const mount_flags[] = {
	"MS_RDONLY", "MS_NOSUID", "MS_NODEV", "MS_NOEXEC", "MS_SYNCHRONOUS", "MS_REMOUNT",
	"MS_MANDLOCK", "MS_DIRSYNC", "MS_NOSYMFOLLOW", NULL, "MS_NOATIME", "MS_NODIRATIME",
	"MS_BIND", "MS_MOVE", "MS_REC", "MS_SILENT", "MS_POSIXACL", "MS_UNBINDABLE", "MS_PRIVATE",
	"MS_SLAVE", "MS_SHARED", "MS_RELATIME", "MS_KERNMOUNT", "MS_I_VERSION", "MS_STRICTATIME",
	"MS_LAZYTIME",
};
static const char *const umount_flags[] = {
	"MNT_FORCE", "MNT_DETACH", "MNT_EXPIRE", "UMOUNT_NOFOLLOW",
};
#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* Calls at a time. If a call's own record was lost, its texts wait for the thread's next call. */
#define PENDING_MAX 512

/* A call's texts, which come one by one before its own record. */
struct pending {
	struct pending *next;
	uint32_t tid, texts;
	struct mount_text text[MOUNT_TEXTS];	/* length 0 and time 0: did not come */
};

struct state {
	struct pending *pending;	/* the newest first */
};

static struct pending **find(struct state *s, uint32_t tid)
{
	struct pending **p = &s->pending;

	while (*p && (*p)->tid != tid)
		p = &(*p)->next;
	return p;
}

static void drop(struct pending **at)
{
	struct pending *p = *at;

	*at = p->next;
	free(p);
}

/* The oldest gives way. */
static struct pending *begin(struct state *s, uint32_t tid)
{
	struct pending *p = calloc(1, sizeof(*p)), **last = &s->pending;

	if (!p)
		return NULL;
	p->tid = tid;
	p->next = s->pending;
	s->pending = p;
	for (unsigned int n = 0; *last && n < PENDING_MAX; n++)
		last = &(*last)->next;
	if (*last)
		drop(last);
	return p;
}

static void text_came(struct run *r, const struct mount_text *t, uint32_t size)
{
	struct pending **at = find(run_state(r), t->tid), *p = *at;

	if (t->index >= MOUNT_TEXTS || (t->length != MOUNT_NULL && size < sizeof(*t)))
		return;
	/* A text that is there already: the record of the call before was lost. */
	if (p && p->text[t->index].time) {
		drop(at);
		p = NULL;
	}
	if (!p)
		p = begin(run_state(r), t->tid);
	if (!p)
		return;
	memcpy(&p->text[t->index], t,
	       t->length == MOUNT_NULL ? offsetof(struct mount_text, text) : sizeof(*t));
	p->texts++;
}

/* Nothing if the call has no such text, or it could not be read. */
static struct text text_at(const struct pending *p, int index)
{
	const struct mount_text *t = p ? &p->text[index] : NULL;

	if (!t || !t->time)
		return (struct text){ };
	return read_text(t->text, t->length, MOUNT_SHOWN, MOUNT_READ);
}

static void add_text(struct strbuf *l, const struct pending *p, int index)
{
	struct text t = text_at(p, index);

	if (p && p->text[index].time && p->text[index].length == MOUNT_NULL) {
		strbuf_addf(l, "NULL");
		return;
	}
	if (!t.s) {
		strbuf_addf(l, "[?]");
		return;
	}
	strbuf_addf(l, "\"");
	for (uint32_t i = 0; i < t.length; i++)
		strbuf_addf(l, t.s[i] == '"' || t.s[i] == '\\' ? "\\%c" : "%c", t.s[i]);
	strbuf_addf(l, t.cut ? "...\"" : "\"");
}

static void add_flags(struct strbuf *l, uint64_t flags, const char *const *names, unsigned int n)
{
	const char *between = "";

	for (unsigned int i = 0; i < n; i++) {
		if (!(flags & 1ULL << i) || !names[i])
			continue;
		strbuf_addf(l, "%s%s", between, names[i]);
		between = "|";
		flags &= ~(1ULL << i);
	}
	if (flags || !*between)
		strbuf_addf(l, "%s0x%llx", between, (unsigned long long)flags);
}

static void add_command(struct strbuf *l, uint32_t command)
{
	if (command < COUNT(commands))
		strbuf_addf(l, "%s", commands[command]);
	else
		strbuf_addf(l, "%u", command);
}

static void add_value(struct strbuf *l, const struct mount_done *d, const struct pending *p)
{
	if (d->args.numbers[1] == SET_BINARY)
		strbuf_addf(l, "[?]");
	else
		add_text(l, p, 3);
}

static void add_descriptor(struct strbuf *l, int fd)
{
	if (fd == AT_FDCWD)
		strbuf_addf(l, "AT_FDCWD");
	else
		strbuf_addf(l, "%d", fd);
}

/* The struct of mount_setattr could be read if the bytes could that come as text 0. */
static bool is_unknown(char letter, const uint64_t *n, const struct pending *p)
{
	return (strchr("cis", letter) && n[2] == MOUNT_UNKNOWN) ||
		(letter == 's' && !text_at(p, 0).s);
}

static void add_number(struct strbuf *l, char letter, const uint64_t *n)
{
	switch (letter) {
	case 'm':
		add_flags(l, n[0], mount_flags, COUNT(mount_flags));
		break;
	case 'u':
		add_flags(l, (uint32_t)n[0], umount_flags, COUNT(umount_flags));
		break;
	case 'k':
		add_command(l, (uint32_t)n[1]);
		break;
	case 'i':
		strbuf_addf(l, "%d", (int)n[2]);
		break;
	case 's':
		strbuf_addf(l, "{set 0x%llx, clear 0x%llx}", (unsigned long long)n[2],
			    (unsigned long long)n[3]);
		break;
	default:
		strbuf_addf(l, "0x%x", (uint32_t)n[letter - 'a']);
	}
}

static void add_argument(struct strbuf *l, char letter, const struct mount_done *d,
			 const struct pending *p)
{
	const uint64_t *n = d->args.numbers;

	if (letter >= '0' && letter <= '3')
		add_text(l, p, letter - '0');
	else if (letter >= 'A' && letter <= 'D')
		add_descriptor(l, (int)n[letter - 'A']);
	else if (letter == 'v')
		add_value(l, d, p);
	else if (is_unknown(letter, n, p))
		strbuf_addf(l, "[?]");
	else
		add_number(l, letter, n);
}

static void make_line(struct strbuf *l, const struct mount_done *d, const struct pending *p)
{
	const char *error = d->ret < 0 ? errno_name(-d->ret) : NULL;

	strbuf_addf(l, "%s(", mount_calls[d->args.call]);
	for (const char *letter = calls[d->args.call].args; *letter; letter++) {
		add_argument(l, *letter, d, p);
		if (letter[1])
			strbuf_addf(l, ", ");
	}
	strbuf_addf(l, ") = ");
	if (error)
		strbuf_addf(l, "-%s", error);
	else
		strbuf_addf(l, "%d", d->ret);
}

/* As the kernel tells; else /proc does, as long as the process lives. */
static int64_t mount_ns(struct run *r, const struct mount_done *d)
{
	char path[64], link[64];
	int64_t pid = tgid_of(d->pid_tgid);
	const char *at = link;
	uint64_t number;

	if (d->mnt_ns)
		return d->mnt_ns;
	if (pid == NOTHING || !run_ids_are_procs(r))
		return NOTHING;
	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/ns/mnt", (long)pid,
		 (long)tid_of(d->pid_tgid));
	if (file_link(AT_FDCWD, path, link, sizeof(link)) < 0 || !scan_text(&at, "mnt:[") ||
	    !scan_number(&at, UINT32_MAX, &number) || !scan_text(&at, "]"))
		return NOTHING;
	return (int64_t)number;
}

/* Only the flags of mount(2) are as wide as a register: of others the upper half means nothing. */
static int64_t flags_of(const struct mount_done *d)
{
	const uint64_t *n = d->args.numbers;
	int which = calls[d->args.call].flags;

	if (which < 0 || n[which] == MOUNT_UNKNOWN)
		return NOTHING;
	return d->args.call == CALL_MOUNT ? (int64_t)n[0] : (uint32_t)n[which];
}

static void show(struct run *r, const struct mount_done *d, const struct pending *p)
{
	enum mount_call call = d->args.call;
	bool config = call == CALL_FSCONFIG, from = call == CALL_MOUNT || call == CALL_MOVE_MOUNT;
	char room[4096];
	struct strbuf line = strbuf_over(room, sizeof(room));
	struct row row;

	if (!run_wanted(r, d))
		return;
	make_line(&line, d, p);
	row = (struct row){
		.record = d,
		.mnt_ns = mount_ns(r, d),
		.flags = flags_of(d),
		.fd = calls[call].fd ? (int)d->args.numbers[0] : NOTHING,
		.line = { .s = line.s, .length = (uint32_t)line.n, .quoted = true },
		.target = text_at(p, 1),
		.fs = text_at(p, 2),
	};
	if (from)
		row.source = text_at(p, 0);
	if (config)
		row.key = text_at(p, 0);
	if (!config || d->args.numbers[1] != SET_BINARY)
		row.data = text_at(p, 3);
	output_row(run_output(r), &row);
}

static void record(struct run *r, const struct record *record)
{
	const struct mount_done *d = record->bytes;
	struct pending **at;

	if (((const struct mount_record *)record->bytes)->type == MOUNT_TEXT) {
		text_came(r, record->bytes, record->size);
		return;
	}
	if (d->args.call >= MOUNT_CALLS)
		return;
	at = find(run_state(r), (uint32_t)tid_of(d->pid_tgid));
	/* A call is not shown if some of its texts were lost; losses are counted elsewhere. */
	if ((*at ? (*at)->texts : 0) == d->args.texts)
		show(r, d, *at);
	if (*at)
		drop(at);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	while (s->pending)
		drop(&s->pending);
}

/* support: bpf: full (5.4); [14] (4.6) | bpf (4.14): [1] |
 *	    perf (to 4.19, from 5.15), ftrace: [2] [14] | no */
TOOL(mountsnoop, "files", "trace mounts: sources, targets, tasks and namespaces",
	.shape = SHAPE_EVENTS,
	.programs = &mountsnoop_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.state_size = sizeof(struct state),
	.record = record,
	.cleanup = cleanup,
);
