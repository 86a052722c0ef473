// SPDX-License-Identifier: GPL-2.0
/*
 * The half of the exporter that keeps its rights. It starts the tools, each in a process of its
 * own, and the server; it starts again what has ended, and reads its file anew after SIGHUP. It
 * reads nothing that others wrote.
 */
#include "src/commands/export/export.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/argv.h"
#include "compat/base/clock.h"
#include "src/commands/export/address.h"
#include "src/commands/export/export_options.h"
#include "src/commands/export/pages/remote_write.h"
#include "src/commands/export/server.h"
#include "src/commands/export/slots.h"
#include "src/commands/export/textfile.h"
#include "src/commands/export/worker.h"
#include "src/lib/metrics/metrics_wire.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/session/session.h"

#define LISTENERS 16
#define END_MS 10000		/* taking probes off may last */
#define TICK_MS 1000

struct exporter {
	char **argv;			/* the caller's; read again with the file */
	bool at_terminal;		/* it was started at one, and ends with it */
	bool gone;			/* the terminal */
	struct export_options options;	/* without the tools, which are in `slots` */
	int fds[LISTENERS];
	unsigned int n_fds;
	bool local;
	struct textfile textfile;
	int page;			/* the server's end of the textfile's socket */
	/* of remote write, [0] is the server's: its pages, and what it counts; -1: none */
	int remote_pages[2], remote_counts[2];
	int hangups;			/* a signalfd of SIGHUP */
	struct slot slots[EXPORT_TOOLS];
	struct worker server, remote;
};

_Static_assert(EXPORT_TOOLS < 64, "each slot and remote write is a bit of metric_family.users");

/* ---- the processes ---- */

/* Ctrl-C goes to the process group: a tool then ends by its own, as alone. */
static void run_tool(struct exporter *e, unsigned int number)
{
	const struct export_line *line = &e->slots[number].line;
	const int to = e->slots[number].pair[1], null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (unsigned int i = 0; i < EXPORT_TOOLS; i++) {
		close(e->slots[i].pair[0]);
		if (i != number)
			close(e->slots[i].pair[1]);
	}
	for (unsigned int i = 0; i < e->n_fds; i++)
		close(e->fds[i]);
	if (e->page >= 0) {
		close(e->textfile.reader.from);
		close(e->page);
	}
	for (unsigned int i = 0; i < 2 && e->options.remote_write; i++) {
		close(e->remote_pages[i]);
		close(e->remote_counts[i]);
	}
	close(e->hangups);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (e->slots[number].worker.told)
		dup2(null, STDERR_FILENO);
	exit(sink_end(session_export(line->tool, line->n, line->words, to, e->options.labels)));
}

static void run_server(struct exporter *e)
{
	int tools[EXPORT_TOOLS + 1];
	const struct server_setup setup = {
		.tools = tools, .n_tools = EXPORT_TOOLS + (e->options.remote_write != NULL),
		.listeners = e->fds, .n_listeners = e->n_fds, .local = e->local,
		.textfile = e->page, .remote = e->remote_pages[0],
		.external = &e->options.external, .parent = getppid(),
	};

	for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
		tools[i] = e->slots[i].pair[0];
	tools[EXPORT_TOOLS] = e->remote_counts[0];
	server_run(&setup);
}

static void run_remote(struct exporter *e)
{
	struct remote_setup setup = {
		.pages = e->remote_pages[1], .counts = e->remote_counts[1], .parent = getppid(),
	};

	if (remote_url_read(e->options.remote_write, &setup.url, NULL))
		_exit(1);
	remote_write_run(&setup);
}

/*
 * The tool itself says when it traces, at the same socket: one is read in its order. Returns false
 * if the server does not read now.
 */
static bool tell_down(const struct slot *s)
{
	struct metrics m = { };
	struct metrics_sender sender = { .to = s->pair[1] };
	bool told;

	metrics_tool_up(&m, s->line.tool->name, false);
	metrics_send(&m, &sender);
	told = m.n && !m.families[0]->series.index.n;
	metrics_free(&m);
	return told;
}

static void go_on_slot(struct exporter *e, unsigned int number, int64_t now)
{
	struct slot *s = &e->slots[number];

	if (s->worker.pid && s->ends && now >= s->kill_at)
		kill(s->worker.pid, SIGKILL);
	if (s->worker.pid)
		return;
	if (s->ends && metrics_send_leave(s->pair[1], s->line.tool->name))
		slot_next(s);
	if (s->ends || !s->line.words)
		return;
	if (s->untold)
		s->untold = !tell_down(s);
	if (now >= s->worker.again && worker_start(&s->worker, now))
		run_tool(e, number);
}

static void go_on(struct exporter *e)
{
	const int64_t now = monotonic_ms();

	if (!e->server.pid && now >= e->server.again) {
		if (worker_start(&e->server, now))
			run_server(e);
		for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
			e->slots[i].untold = true;
	}
	if (e->options.remote_write && !e->remote.pid && now >= e->remote.again &&
	    worker_start(&e->remote, now))
		run_remote(e);
	for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
		if (e->slots[i].line.words)
			go_on_slot(e, i, now);
}

static void collect(struct exporter *e)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == e->server.pid)
			worker_ended(&e->server, "the server", status);
		if (pid == e->remote.pid)
			worker_ended(&e->remote, "the sender of --remote-write", status);
		for (unsigned int i = 0; i < EXPORT_TOOLS; i++) {
			struct slot *s = &e->slots[i];

			if (s->worker.pid != pid)
				continue;
			if (s->ends)
				s->worker.pid = 0;
			else
				worker_ended(&s->worker, s->line.tool->name, status);
			s->untold = true;
		}
	}
}

static unsigned int running(const struct exporter *e)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
		n += e->slots[i].worker.pid != 0;
	return n;
}

static void signal_tools(const struct exporter *e, int number)
{
	for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
		if (e->slots[i].worker.pid)
			kill(e->slots[i].worker.pid, number);
}

static void end_now(const struct worker *w)
{
	if (!w->pid)
		return;
	kill(w->pid, SIGKILL);
	waitpid(w->pid, NULL, 0);
}

/* The tools end by themselves, so that they take their probes off. */
static void end_all(struct exporter *e)
{
	const int64_t until = monotonic_ms() + END_MS;

	signal_tools(e, SIGTERM);
	while (running(e) && monotonic_ms() < until) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		for (unsigned int i = 0; pid > 0 && i < EXPORT_TOOLS; i++)
			if (e->slots[i].worker.pid == pid)
				e->slots[i].worker.pid = 0;
		if (pid <= 0)
			sleep_ns(10 * NS_PER_MS);
	}
	signal_tools(e, SIGKILL);
	end_now(&e->server);
	end_now(&e->remote);
}

/* ---- the file, read anew ---- */

/* getopt(3) and commas between tools change the words: the caller's stay for the next time. */
static int read_options(struct exporter *e, struct export_options *o, int argc, struct error *err)
{
	char **words = argv_copy(e->argv);
	const int result = words ? export_options_read(o, argc, words, err) :
			   fail(err, "out of memory");

	argv_free(words);
	return result;
}

static void take_tools(struct exporter *e, struct export_options *wanted)
{
	const struct slots_change change = slots_take(e->slots, &wanted->tools);
	const int64_t now = monotonic_ms();

	fprintf(sink_err(), "sonde: export: %s is read anew: tools that stay: %u, end: %u, "
			    "begin: %u\n", wanted->file, change.stay, change.end, change.begin);
	for (unsigned int i = 0; i < EXPORT_TOOLS; i++) {
		struct slot *s = &e->slots[i];

		if (s->ends && !s->kill_at) {
			s->kill_at = now + END_MS;
			if (s->worker.pid)
				kill(s->worker.pid, SIGTERM);
		}
		/* What made a tool fail may have gone as well. */
		s->worker.again = 0;
		s->worker.told = false;
	}
}

static void read_anew(struct exporter *e, int argc)
{
	struct export_options wanted;
	struct error err = { };

	if (!e->options.file) {
		fputs("sonde: export: SIGHUP: there is no file (-f) to read anew\n", sink_err());
		return;
	}
	if (read_options(e, &wanted, argc, &err)) {
		sink_complain("sonde: export: SIGHUP: nothing changes: ", &err);
	} else {
		export_options_keep(&e->options, &wanted);
		take_tools(e, &wanted);
	}
	export_options_free(&wanted);
}

/* Several signals are one. At a terminal that is gone, it means the end, as for all programs. */
static void take_hangups(struct exporter *e, int argc)
{
	struct signalfd_siginfo info;

	if (read(e->hangups, &info, sizeof(info)) != sizeof(info))
		return;
	if (e->at_terminal && !isatty(STDERR_FILENO))
		e->gone = true;
	else
		read_anew(e, argc);
}

/* ---- opening ---- */

static int make_pair(int type, int pair[2], struct error *err)
{
	return socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) ?
	       fail_with(err, errno, "can't make a socket: %m") : 0;
}

static int open_all(struct exporter *e, struct error *err)
{
	const struct lines *listen = &e->options.listen;
	int pair[2];

	e->local = true;
	for (unsigned int i = 0; i < listen->n; i++) {
		const int n = export_listen(listen->list[i], e->fds + e->n_fds,
					    LISTENERS - e->n_fds, &e->local, err);

		if (n < 0)
			return -1;
		e->n_fds += (unsigned int)n;
	}
	for (unsigned int i = 0; i < EXPORT_TOOLS; i++)
		if (make_pair(SOCK_SEQPACKET, e->slots[i].pair, err))
			return -1;
	if (e->options.remote_write && (make_pair(SOCK_SEQPACKET, e->remote_pages, err) ||
					make_pair(SOCK_SEQPACKET, e->remote_counts, err)))
		return -1;
	if (!e->options.textfile)
		return 0;
	if (textfile_open(&e->textfile, e->options.textfile, err) ||
	    make_pair(SOCK_SEQPACKET, pair, err))
		return -1;
	e->page = pair[0];
	e->textfile.reader.from = pair[1];
	return 0;
}

static void introduce(const struct exporter *e)
{
	fprintf(sink_err(), "sonde: export: %u tool%s", e->options.tools.n,
		e->options.tools.n == 1 ? "" : "s");
	for (unsigned int i = 0; i < e->options.listen.n; i++)
		fprintf(sink_err(), ", %s", e->options.listen.list[i]);
	if (e->options.textfile)
		fprintf(sink_err(), ", %s/sonde.prom", e->options.textfile);
	if (e->options.remote_write)
		fprintf(sink_err(), ", %s", e->options.remote_write);
	fputs("... Hit Ctrl-C to end.\n", sink_err());
}

static void on_child(int number)
{
	(void)number;		/* it ends the wait */
}

/* Signals come only while it waits; SIGHUP by a descriptor. Returns -1 and sets err. */
static int take_signals(struct exporter *e, sigset_t *before, struct error *err)
{
	const struct sigaction action = { .sa_handler = on_child };
	sigset_t blocked, hangup;

	stop_on_signals();
	sigaction(SIGCHLD, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_DFL);
	sigemptyset(&hangup);
	sigaddset(&hangup, SIGHUP);
	sigemptyset(&blocked);
	for (unsigned int i = 0; i < 4; i++)
		sigaddset(&blocked, (const int []){ SIGCHLD, STOP_SIGNALS }[i]);
	sigprocmask(SIG_BLOCK, &blocked, before);
	sigaddset(before, SIGHUP);
	e->hangups = signalfd(-1, &hangup, SFD_CLOEXEC | SFD_NONBLOCK);
	return e->hangups < 0 ? fail_with(err, errno, "can't take SIGHUP: signalfd(2): %m") : 0;
}

static void loop(struct exporter *e, int argc, const sigset_t *waiting)
{
	const struct timespec tick = { .tv_sec = TICK_MS / 1000 };

	while (!stop_signal && !e->gone) {
		/* -1 is passed over */
		struct pollfd polls[] = {
			{ e->textfile.reader.from, POLLIN, 0 }, { e->hangups, POLLIN, 0 },
		};

		go_on(e);
		if (ppoll(polls, 2, &tick, waiting) > 0) {
			if (polls[0].revents)
				textfile_take(&e->textfile);
			if (polls[1].revents)
				take_hangups(e, argc);
		}
		collect(e);
	}
	end_all(e);
	textfile_close(&e->textfile);
}

static int run(struct exporter *e, int argc, struct error *err)
{
	sigset_t waiting;

	if (open_all(e, err) || take_signals(e, &waiting, err))
		return -1;
	introduce(e);
	slots_take(e->slots, &e->options.tools);
	loop(e, argc, &waiting);
	return 0;
}

static void remove_sockets(const struct exporter *e)
{
	for (unsigned int i = 0; i < e->options.listen.n; i++)
		if (!strncmp(e->options.listen.list[i], "unix:", 5))
			unlink(e->options.listen.list[i] + 5);
}

int export_main(int argc, char **argv)
{
	struct exporter *e = calloc(1, sizeof(*e));
	struct error err = { };
	int status = 0;

	if (!e)
		return 1;
	e->argv = argv;
	e->at_terminal = isatty(STDERR_FILENO);
	e->page = e->textfile.reader.from = e->textfile.folder = e->hangups = -1;
	for (unsigned int i = 0; i < 2; i++)
		e->remote_pages[i] = e->remote_counts[i] = -1;
	if (read_options(e, &e->options, argc, &err)) {
		sink_complain("sonde: export: ", &err);
		status = 2;
	} else if (e->options.help) {
		export_help(sink_out());
	} else if (run(e, argc, &err)) {
		sink_complain("sonde: export: ", &err);
		status = 1;
	} else {
		remove_sockets(e);
	}
	slots_free(e->slots);
	export_options_free(&e->options);
	free(e);
	return status;
}
