// SPDX-License-Identifier: GPL-2.0
#include "backends/semaphores/semaphores.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backends/semaphores/keeper.h"
#include "compat/base/file.h"
#include "compat/binaries/binaries.h"

#define READY_MS	10000		/* for the first look at all processes */
#define END_MS		5000
#define ROUND_MS	1000

struct semaphores {
	pid_t keeper;
	int alive;		/* the keeper ends when all processes have closed this end */
	bool late;
};

/* Adds the event's semaphore if it is new. Returns -1 if there are too many. */
static int want(struct keeper *k, const struct event *e)
{
	for (unsigned int i = 0; i < k->n_wanted; i++)
		if (k->wanted[i].binary == e->binary && k->wanted[i].position == e->semaphore)
			return 0;
	if (k->n_wanted == KEEPER_WANTED)
		return -1;
	k->wanted[k->n_wanted++] = (struct wanted){ e->binary, e->semaphore };
	return 0;
}

static int want_all(struct keeper *k, const struct plan *plan, struct error *err)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;

		if (e->semaphore && !e->kernel_counts && want(k, e))
			return fail(err, "more than %d probes (USDT) with semaphores; name fewer",
				    KEEPER_WANTED);
	}
	return 0;
}

struct kept {
	const struct keeper *keeper;
	int alive, ready;
};

/* The wanted files stay open, so that no other file can get the numbers of their inodes. */
static bool is_kept(void *arg, int fd)
{
	const struct kept *kept = arg;
	char file[32];

	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	for (unsigned int i = 0; i < kept->keeper->n_wanted; i++)
		if (!strcmp(kept->keeper->wanted[i].binary->file, file))
			return true;
	return fd == kept->alive || fd == kept->ready;
}

/* The keeper ignores Ctrl-C: it ends when sonde closes `alive`. */
static void keep(struct keeper *k, int alive, int ready)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_IGN);
	setsid();
	prctl(PR_SET_NAME, "sonde-usdt");
	file_close_all(is_kept, &(struct kept){ k, alive, ready });
	keeper_run(k, alive, ready);
	_exit(0);
}

/*
 * Reads the keeper's report of its first look. Returns 1 if the report has not come yet; -1, and
 * sets err, if the keeper has ended.
 */
static int hear(int ready, struct keeper_said *said, struct error *err)
{
	struct pollfd polled = { .fd = ready, .events = POLLIN };

	if (poll(&polled, 1, READY_MS) <= 0)
		return 1;
	return read(ready, said, sizeof(*said)) == sizeof(*said) ? 0 :
	       fail(err, "the process that writes semaphores has ended");
}

static int start(struct keeper *k, struct semaphores *s, struct keeper_said *said,
		 struct error *err)
{
	int alive[2], ready[2], heard = -1;

	if (pipe2(alive, O_CLOEXEC))
		return fail_with(err, errno, "can't make a pipe: %m");
	if (pipe2(ready, O_CLOEXEC)) {
		fail_with(err, errno, "can't make a pipe: %m");
		close(alive[0]);
		close(alive[1]);
		return -1;
	}
	s->keeper = fork();
	if (!s->keeper) {
		close(alive[1]);
		close(ready[0]);
		keep(k, alive[0], ready[1]);
	}
	close(alive[0]);
	close(ready[1]);
	s->alive = alive[1];
	if (s->keeper > 0)
		heard = hear(ready[0], said, err);
	else
		fail_with(err, errno, "can't make the process that writes semaphores: %m");
	s->late = heard > 0;
	close(ready[0]);
	return heard < 0 ? -1 : 0;
}

int semaphores_raise(const struct kernel *k, const struct plan *plan, FILE *verbose,
		     struct semaphores **result, struct error *err)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));
	struct semaphores *s = calloc(1, sizeof(*s));
	struct keeper_said said = { };

	*result = NULL;
	if (!keeper || !s || want_all(keeper, plan, err)) {
		if (!keeper || !s)
			fail(err, "out of memory");
		free(keeper);
		free(s);
		return -1;
	}
	s->alive = -1;
	keeper->processes = kernel_processes(k, &keeper->n_processes);
	keeper->round_ms = ROUND_MS;
	if (!keeper->n_wanted || start(keeper, s, &said, err)) {
		bool nothing = !keeper->n_wanted;

		if (s->alive >= 0)
			close(s->alive);
		free(keeper);
		free(s);
		return nothing ? 0 : -1;
	}
	if (verbose && !s->late)
		fprintf(verbose, "semaphores of probes (USDT): raised in %u processes, refused in "
			"%u\n", said.raised, said.refused);
	free(keeper);
	*result = s;
	return 0;
}

bool semaphores_late(const struct semaphores *s)
{
	return s && s->late;
}

void semaphores_lower(struct semaphores *s)
{
	const struct timespec pause = { .tv_nsec = 5000000 };

	if (!s)
		return;
	close(s->alive);
	for (int ms = 0; ms < END_MS && !waitpid(s->keeper, NULL, WNOHANG); ms += 5)
		nanosleep(&pause, NULL);
	free(s);
}
