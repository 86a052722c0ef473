// SPDX-License-Identifier: GPL-2.0
/*
 * Which terminal: sonde opens it and asks for its state, with an address that nobody else asks
 * with. The kernel's function gets this address and the terminal's own, which tells the terminal
 * from all others, also from those of other mounts of devpts. It is open no longer than that:
 * programs wait for their terminal to be closed by all.
 */
#include "insns/programs/ttysnoop.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/run/tools.h"

#define MOST	(TTY_PIECE * TTY_PIECES)
#define MARKERS	(1 << 20)	/* bytes of memory, one of whose addresses is the marker */
#define WAIT	(15 * NS_PER_SECOND)

struct state {
	char path[128];
	char *markers;
	void *marker;
	bool found;
	int64_t end;			/* of waiting until it is found */
	uint64_t lost;			/* bytes that were written and are not shown */
	/* a write that goes on; the terminal takes one at a time */
	bool writes;
	uint64_t pid_tgid;
	int64_t bytes;
	uint32_t pieces;		/* a bit for each that came */
	char data[MOST];
};

struct row {
	const struct ttysnoop_record *record;
	struct text data;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &ttysnoop_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .readers = FOR_MACHINES,
	  .help = "time of day, in JSON and CSV" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .readers = FOR_MACHINES,
	  .help = "process id of the writer" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .readers = FOR_MACHINES,
	  .help = "its name" },
	{ "BYTES", "bytes", COLUMN_INTEGER, 6, .field = "bytes", .readers = FOR_MACHINES,
	  .help = "bytes that the terminal took" },
	{ "DATA", "data", COLUMN_TEXT, 0, AT(data), .readers = FOR_MACHINES,
	  .help = "the bytes" },
	{ }
};

/* What the functions below read of the options. */
struct ttysnoop_options {
	bool escape, noclear;
	int64_t datasize, datacount;
	const char *terminal;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct ttysnoop_options, MEMBER)

static const struct option options[] = {
	{ 0, "terminal", "the terminal; N: /dev/pts/N", OPTION_TEXT, "/dev/TTY|N",
	  .positional = true, TO(terminal) },
	{ 'C', "noclear", "do not clear the screen", OPTION_FLAG, TO(noclear) },
	{ 0, "escape", "a line for each write, with escapes for control characters",
	  OPTION_FLAG, TO(escape) },
	{ 's', "datasize", "with --datacount: bytes of a write that are shown", OPTION_NUMBER, "N",
	  1, 65536, 256, TO(datasize) },
	{ 'c', "datacount", "so many times --datasize", OPTION_NUMBER, "N", 1, 65536, 16,
	  TO(datacount) },
	{ }
};

static const struct example examples[] = {
	{ "sonde ttysnoop /dev/tty1", "output of the first console" },
	{ "sonde ttysnoop --escape 3", "output to /dev/pts/3, by lines" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct ttysnoop_options *o = run_asked(r);
	const char *terminal = o->terminal;
	struct state *s = run_state(r);

	if (!terminal)
		return fail(err, "ttysnoop: it needs a terminal: /dev/tty1, or N for /dev/pts/N");
	if ((size_t)snprintf(s->path, sizeof(s->path), "%s%s", *terminal == '/' ? "" : "/dev/pts/",
			     terminal) >= sizeof(s->path))
		return fail(err, "ttysnoop: the path of the terminal is too long");
	if (!run_is_live(r)) {
		run_constant(r, "marker", 1);
		return 0;
	}
	s->markers = mmap(NULL, MARKERS + 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->markers == MAP_FAILED)
		return fail(err, "out of memory");
	/* Where addresses are no random ones, two sondes still have different ones. */
	s->marker = s->markers + (monotonic_ns() * 64 + (uint64_t)getpid() * 4096) % MARKERS;
	run_constant(r, "marker", (int64_t)(uintptr_t)s->marker);
	return 0;
}

/* Mounts of devpts may have different terminals of one number. */
static bool is_numbered(const struct stat *st)
{
	return major(st->st_rdev) >= 136 && major(st->st_rdev) <= 143;
}

/* By what is behind /dev/tty and /dev/console, too. */
static bool same_terminal(int a, int b)
{
	unsigned int dev_a, dev_b;
	struct stat st_a, st_b;

	if (ioctl(a, TIOCGDEV, &dev_a) || ioctl(b, TIOCGDEV, &dev_b) || dev_a != dev_b ||
	    fstat(a, &st_a) || fstat(b, &st_b))
		return false;
	return !is_numbered(&st_a) || !is_numbered(&st_b) || st_a.st_dev == st_b.st_dev;
}

/* Would what is shown be written to the terminal, and be shown again, without end? */
static bool shows_itself(int fd)
{
	struct stat out;

	if (same_terminal(STDOUT_FILENO, fd))
		return true;
	return !fstat(STDOUT_FILENO, &out) && S_ISFIFO(out.st_mode) &&
	       same_terminal(STDERR_FILENO, fd);
}

/* Returns -1 and sets err if it can't be traced. */
static int open_terminal(const struct state *s, struct error *err)
{
	struct termios modes;
	struct stat st;
	int fd, discipline = 0;

	/* Opening other files may have effects; /dev/ptmx makes a terminal. */
	if (stat(s->path, &st))
		return fail_with(err, errno, "%s: %m", s->path);
	if (!S_ISCHR(st.st_mode) || st.st_rdev == makedev(5, 2))
		return fail(err, "%s is not a terminal", s->path);
	fd = open(s->path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return fail_with(err, errno, "%s can't be opened: %m", s->path);
	if (!tcgetattr(fd, &modes) && !ioctl(fd, TIOCGETD, &discipline) && !discipline &&
	    !shows_itself(fd))
		return fd;
	if (!discipline && shows_itself(fd))
		fail(err, "%s is the terminal to which sonde writes: it would show its own output "
		     "again and again", s->path);
	else if (discipline)
		fail(err, "%s is used as a line, with line discipline %d: nothing is shown there",
		     s->path, discipline);
	else
		fail_with(err, errno, "%s is not a terminal: %m", s->path);
	close(fd);
	return -1;
}

static bool raw(const struct run *r)
{
	const struct ttysnoop_options *o = run_asked(r);

	return output_for_people(run_output(r)) && !o->escape;
}

static int opened(struct run *r, struct error *err)
{
	int fd = run_is_live(r) ? open_terminal(run_state(r), err) : -1;

	if (fd < 0)
		return run_is_live(r) ? -1 : 0;
	close(fd);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct ttysnoop_options *o = run_asked(r);
	static const char clear[] = "\033[H\033[2J";
	struct state *s = run_state(r);
	int fd;

	if (!run_is_live(r))
		return 0;
	fd = open_terminal(s, err);
	if (fd < 0)
		return -1;
	/* With tcgetattr()'s call the C library of powerpc has a struct of its own. */
	ioctl(fd, TIOCOUTQ, s->marker);
	close(fd);
	if (raw(r) && isatty(STDOUT_FILENO) && !o->noclear)
		output_picture(run_output(r), clear, sizeof(clear) - 1);
	return 0;
}

static int64_t due(struct run *r, int64_t now)
{
	struct state *s = run_state(r);
	struct error err;

	if (s->found || !run_is_live(r))
		return INT64_MAX;
	if (!s->end)
		s->end = now + WAIT;
	if (now < s->end)
		return s->end;
	fail(&err, "%s was not found in the kernel: n_tty_ioctl() did not run", s->path);
	run_fail(r, &err);
	return INT64_MAX;
}

/* The end of a write was not seen: how much of it was taken is not known. */
static void forget(struct state *s)
{
	if (s->writes)
		s->lost += (uint64_t)s->bytes;
	s->writes = false;
}

static void add_piece(struct state *s, const struct ttysnoop_record *rec)
{
	const uint32_t number = rec->from / TTY_PIECE;

	if (number >= TTY_PIECES)
		return;
	if (s->pid_tgid != rec->pid_tgid || s->bytes != rec->bytes || s->pieces & 1U << number)
		forget(s);
	if (!s->writes) {
		s->writes = true;
		s->pid_tgid = rec->pid_tgid;
		s->bytes = rec->bytes;
		s->pieces = 0;
	}
	s->pieces |= 1U << number;
	memcpy(s->data + rec->from, rec->data, TTY_PIECE);
}

/* How many bytes came, up to the first gap. */
static int64_t known(const struct run *r, const struct state *s)
{
	const struct ttysnoop_options *o = run_asked(r);
	const int64_t most = o->datasize * o->datacount;
	int64_t n = 0;

	for (uint32_t i = 0; i < TTY_PIECES && s->pieces & 1U << i; i++)
		n += TTY_PIECE;
	return n < most ? n : most;
}

static void wrote(struct run *r, const struct ttysnoop_record *rec)
{
	struct state *s = run_state(r);
	struct row row = { .record = rec };
	int64_t n;

	if (s->pid_tgid != rec->pid_tgid)
		forget(s);
	n = s->writes ? known(r, s) : 0;
	s->writes = false;
	if (rec->bytes <= 0 || !run_wanted(r, rec))
		return;
	if (n > rec->bytes)
		n = rec->bytes;
	s->lost += (uint64_t)(rec->bytes - n);
	row.data = (struct text){ .s = s->data, .length = (uint32_t)n, .cut = n < rec->bytes };
	if (raw(r))
		output_picture(run_output(r), s->data, (size_t)n);
	else
		output_text(run_output(r), &row.data);
	output_row(run_output(r), &row);
}

static void record(struct run *r, const struct record *record)
{
	const struct ttysnoop_record *rec = record->bytes;
	struct state *s = run_state(r);

	switch (rec->event) {
	case TTY_FOUND:
		s->found = true;
		break;
	case TTY_CLOSED:
		run_note(r, "%s was closed, or hung up", s->path);
		run_end(r);
		break;
	case TTY_WRITE:
		if (record->size >= sizeof(*rec))
			add_piece(s, rec);
		break;
	case TTY_WROTE:
		wrote(r, rec);
		break;
	}
}

static void finish(struct run *r)
{
	struct state *s = run_state(r);

	forget(s);
	if (s->lost)
		run_note(r, "%llu bytes are not shown: their records were lost, their write had "
			    "no end yet, or was longer than --datasize times --datacount",
			 (unsigned long long)s->lost);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	if (s->markers && s->markers != MAP_FAILED)
		munmap(s->markers, MARKERS + 4096);
}

/* support: bpf: full (4.6) | bpf: full (5.5) | perf, ftrace: full | no */
TOOL(ttysnoop, "processes", "show the output of a terminal, as it shows it",
	.asks = "0",
	.shape = SHAPE_EVENTS,
	.programs = &ttysnoop_programs,
	.options = options,
	.options_size = sizeof(struct ttysnoop_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.opened = opened,
	.started = started,
	.record = record,
	.due = due,
	.finish = finish,
	.cleanup = cleanup,
);
