// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/holder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries.h"

#define PAUSE_MS 2
#define LOOK_MS 1000
#define DETACHER_MS 600000	/* for the detacher of a sonde that has ended */

struct holder {
	char group[16];
	pid_t pid;
	int alive;		/* the holder removes uprobes when all processes closed this end */
};

struct kept {
	const struct kernel *kernel;
	int alive;
};

static bool is_kept(void *arg, int fd)
{
	const struct kept *kept = arg;

	return fd == kept->alive || kernel_has_binary(kept->kernel, fd);
}

/* True when sonde and its detacher have closed the pipe. Waits for it. */
static bool has_ended(int alive, int ms)
{
	struct pollfd p = { .fd = alive };

	return poll(&p, 1, ms) == 1;
}

/* All signals stay blocked. Uprobes in use are not removed: it goes on until they are. */
static void run(struct kernel *k, const struct holder *h, int alive, pid_t parent)
{
	close(h->alive);
	detacher_begin(is_kept, &(struct kept){ k, alive });
	while (getppid() == parent && !has_ended(alive, LOOK_MS))
		;
	has_ended(alive, DETACHER_MS);
	detacher_lock(k);
	tracefs_sweep_all(kernel_tracefs(k), h->group, true);
	_exit(0);
}

struct holder *holder_new(struct kernel *k, const char *group, struct error *err)
{
	struct holder *h = calloc(1, sizeof(*h));
	sigset_t all, before;
	const pid_t parent = getpid();
	int alive[2];

	if (!h || pipe2(alive, O_CLOEXEC)) {
		fail_with(err, errno, "can't make a pipe: %m");
		free(h);
		return NULL;
	}
	text_all(h->group, sizeof(h->group), "%s", group);
	h->alive = alive[1];
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	h->pid = fork();
	if (!h->pid)
		run(k, h, alive[0], parent);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(alive[0]);
	if (h->pid < 0) {
		fail_with(err, errno, "can't make the process that holds the files of probes: %m");
		holder_free(h, 0);
		return NULL;
	}
	return h;
}

void holder_free(struct holder *h, int wait_ms)
{
	if (!h)
		return;
	close(h->alive);
	/* In a detacher, which is not the holder's parent, waitpid(2) fails at once. */
	for (int ms = 0; h->pid > 0 && !waitpid(h->pid, NULL, WNOHANG) && ms < wait_ms;
	     ms += PAUSE_MS)
		pause_ms(PAUSE_MS);
	free(h);
}

const char *holder_uprobes(struct kernel *k, const struct holder *h)
{
	if (h)
		return h->group;
	return kernel_has(k, FEATURE_UPROBE_MOUNT) ? NULL : "";
}
