// SPDX-License-Identifier: GPL-2.0
/*
 * The half of the exporter that keeps its rights. It starts the tools, each in a process of its
 * own, and the server; it starts again what has ended; it reads nothing that others wrote.
 */
#include "src/commands/export/export.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/commands/export/address.h"
#include "src/commands/export/export_options.h"
#include "src/commands/export/pages/remote_write.h"
#include "src/commands/export/server.h"
#include "src/commands/export/textfile.h"
#include "src/lib/metrics/metrics_wire.h"
#include "src/lib/output/sink.h"
#include "src/run/stop.h"
#include "src/session/session.h"

#define LISTENERS 16
#define END_MS 10000		/* taking probes off may last */
#define WAIT_LEAST_MS 1000
#define WAIT_MOST_MS 60000
#define TICK_MS 1000

/* A process that is started again when it ends: after a second, then after twice that each time. */
struct worker {
	pid_t pid;			/* 0: it does not run */
	int64_t began, again;		/* CLOCK_MONOTONIC, ms */
	int wait_ms;
	int status;			/* as of wait(2), of the last one */
	bool told;			/* why it ended was said: it ends so each time */
};

struct exporter {
	struct export_options options;
	int fds[LISTENERS];
	unsigned int n_fds;
	bool local;
	struct textfile textfile;
	int page;			/* the server's end of the textfile's socket */
	int remote_pages[2];		/* of remote write, [0] is the server's; -1: none */
	/* a pair for each tool, [0] is the server's; behind them this process's, remote write's */
	int sockets[EXPORT_TOOLS + 2][2];
	struct worker tools[EXPORT_TOOLS], server, remote;
	struct metrics metrics;		/* of tools that run, or not */
	struct metrics_sender sender;
};

/* ---- the processes ---- */

static unsigned int n_sockets(const struct exporter *e)
{
	return e->options.tools.n + 1 + (e->options.remote_write != NULL);
}

static void in_child(pid_t parent, int signal_number)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, signal_number);
	if (getppid() != parent)
		_exit(1);
}

/* Ctrl-C goes to the process group: a tool then ends by its own, as alone. */
static void run_tool(struct exporter *e, unsigned int number)
{
	const struct export_line *line = &e->options.tools.list[number];
	const int to = e->sockets[number][1], null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (unsigned int i = 0; i < n_sockets(e); i++) {
		close(e->sockets[i][0]);
		if (i != number)
			close(e->sockets[i][1]);
	}
	for (unsigned int i = 0; i < e->n_fds; i++)
		close(e->fds[i]);
	if (e->page >= 0) {
		close(e->textfile.reader.from);
		close(e->page);
	}
	if (e->options.remote_write) {
		close(e->remote_pages[0]);
		close(e->remote_pages[1]);
	}
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (e->tools[number].told)
		dup2(null, STDERR_FILENO);
	exit(sink_end(session_export(line->tool, line->n, line->words, to, e->options.labels)));
}

static void run_server(struct exporter *e)
{
	int tools[EXPORT_TOOLS + 2];
	const struct server_setup setup = {
		.tools = tools, .n_tools = n_sockets(e), .listeners = e->fds,
		.n_listeners = e->n_fds, .local = e->local, .textfile = e->page,
		.remote = e->remote_pages[0], .external = &e->options.external,
		.parent = getppid(),
	};

	for (unsigned int i = 0; i < n_sockets(e); i++)
		tools[i] = e->sockets[i][0];
	server_run(&setup);
}

static void run_remote(struct exporter *e)
{
	struct remote_setup setup = {
		.pages = e->remote_pages[1], .counts = e->sockets[n_sockets(e) - 1][1],
		.parent = getppid(),
	};

	if (remote_url_read(e->options.remote_write, &setup.url, NULL))
		_exit(1);
	remote_write_run(&setup);
}

static int start(struct worker *w, int64_t now)
{
	const pid_t parent = getpid(), pid = fork();

	if (!pid) {
		in_child(parent, SIGTERM);
		return 0;
	}
	w->began = now;
	w->pid = pid > 0 ? pid : 0;
	if (pid < 0)
		w->again = now + WAIT_MOST_MS;
	return 1;
}

/* The tool itself says when it traces. */
static void tell_down(struct exporter *e, unsigned int number)
{
	metrics_tool_up(&e->metrics, e->options.tools.list[number].tool->name, false);
	metrics_send(&e->metrics, &e->sender);
}

static void start_due(struct exporter *e)
{
	const int64_t now = monotonic_ms();

	if (!e->server.pid && now >= e->server.again && !start(&e->server, now))
		run_server(e);
	if (e->options.remote_write && !e->remote.pid && now >= e->remote.again &&
	    !start(&e->remote, now))
		run_remote(e);
	for (unsigned int i = 0; i < e->options.tools.n; i++) {
		if (e->tools[i].pid || now < e->tools[i].again)
			continue;
		if (!e->tools[i].began)
			tell_down(e, i);
		if (!start(&e->tools[i], now))
			run_tool(e, i);
	}
}

/* How it ended, and that it is started again: once if it ends in the same way each time. */
static void say_ended(const struct worker *w, const char *name)
{
	const char *how = WIFSIGNALED(w->status) ? "was ended by signal" : "has ended with status";
	const int number = WIFSIGNALED(w->status) ? WTERMSIG(w->status) : WEXITSTATUS(w->status);

	fprintf(sink_err(), "sonde: export: %s %s %d: it is tried again, after %d s at first and "
			    "each minute at last\n", name, how, number, WAIT_LEAST_MS / 1000);
}

static void ended(struct worker *w, const char *name, int status)
{
	const int64_t now = monotonic_ms();
	const bool lasted = now - w->began > WAIT_MOST_MS;

	w->pid = 0;
	w->told &= w->status == status && !lasted;
	w->status = status;
	w->wait_ms = lasted || !w->wait_ms ? WAIT_LEAST_MS :
		     w->wait_ms < WAIT_MOST_MS / 2 ? 2 * w->wait_ms : WAIT_MOST_MS;
	w->again = now + w->wait_ms;
	if (!w->told)
		say_ended(w, name);
	w->told = true;
}

static void collect(struct exporter *e)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == e->server.pid)
			ended(&e->server, "the server", status);
		if (pid == e->remote.pid)
			ended(&e->remote, "the sender of --remote-write", status);
		for (unsigned int i = 0; i < e->options.tools.n; i++) {
			if (e->tools[i].pid != pid)
				continue;
			ended(&e->tools[i], e->options.tools.list[i].tool->name, status);
			tell_down(e, i);
		}
	}
}

static unsigned int running(const struct exporter *e)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < e->options.tools.n; i++)
		n += e->tools[i].pid != 0;
	return n;
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

	for (unsigned int i = 0; i < e->options.tools.n; i++)
		if (e->tools[i].pid)
			kill(e->tools[i].pid, SIGTERM);
	while (running(e) && monotonic_ms() < until) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		for (unsigned int i = 0; pid > 0 && i < e->options.tools.n; i++)
			if (e->tools[i].pid == pid)
				e->tools[i].pid = 0;
		if (pid <= 0)
			sleep_ns(10 * NS_PER_MS);
	}
	for (unsigned int i = 0; i < e->options.tools.n; i++)
		if (e->tools[i].pid)
			kill(e->tools[i].pid, SIGKILL);
	end_now(&e->server);
	end_now(&e->remote);
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
	if (!listen->n && !e->options.textfile && !e->options.remote_write)
		lines_add(&e->options.listen, "%s", EXPORT_ADDRESS);
	for (unsigned int i = 0; i < listen->n; i++) {
		const int n = export_listen(listen->list[i], e->fds + e->n_fds,
					    LISTENERS - e->n_fds, &e->local, err);

		if (n < 0)
			return -1;
		e->n_fds += (unsigned int)n;
	}
	for (unsigned int i = 0; i < n_sockets(e); i++)
		if (make_pair(SOCK_SEQPACKET, e->sockets[i], err))
			return -1;
	e->sender.to = e->sockets[e->options.tools.n][1];
	if (e->options.remote_write && make_pair(SOCK_SEQPACKET, e->remote_pages, err))
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

/* Signals come only while it waits. */
static void loop(struct exporter *e)
{
	const struct sigaction action = { .sa_handler = on_child };
	struct pollfd page = { .events = POLLIN };
	const struct timespec tick = { .tv_sec = TICK_MS / 1000 };
	sigset_t blocked, before;

	stop_on_signals();
	sigaction(SIGCHLD, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&blocked);
	for (unsigned int i = 0; i < 4; i++)
		sigaddset(&blocked, (const int []){ SIGCHLD, STOP_SIGNALS }[i]);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	while (!stop_signal) {
		start_due(e);
		page.fd = e->textfile.reader.from;	/* -1 is passed over */
		page.revents = 0;
		ppoll(&page, 1, &tick, &before);
		if (page.revents)
			textfile_take(&e->textfile);
		collect(e);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	end_all(e);
	textfile_close(&e->textfile);
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
	e->page = e->textfile.reader.from = e->textfile.folder = -1;
	e->remote_pages[0] = e->remote_pages[1] = -1;
	if (export_options_read(&e->options, argc, argv, &err)) {
		sink_complain("sonde: export: ", &err);
		status = 2;
	} else if (e->options.help) {
		export_help(sink_out());
	} else if (open_all(e, &err)) {
		sink_complain("sonde: export: ", &err);
		status = 1;
	} else {
		introduce(e);
		loop(e);
		remove_sockets(e);
	}
	metrics_free(&e->metrics);
	export_options_free(&e->options);
	free(e);
	return status;
}
