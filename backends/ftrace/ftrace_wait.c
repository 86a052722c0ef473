// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_read.h"

#include <limits.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "compat/base/text.h"

#define NAP_MIN 2		/* ms */
#define NAP_MAX 100
#define FALSE_WAKES 3

/*
 * A ring wakes its readers when it is full to buffer_percent, a half. A kernel without this file
 * wakes them for each event, which costs more than the event: there sonde takes naps.
 */
void ftrace_waiter_open(struct ftrace_waiter *w, const struct ftrace_reader *readers,
			unsigned int n)
{
	struct epoll_event event = { .events = EPOLLIN };
	char path[PATH_MAX];
	unsigned int i, j;

	*w = (struct ftrace_waiter){ .epoll = -1, .nap = NAP_MAX };
	text_all(path, sizeof(path), "%s/buffer_percent", readers->instance);
	if (!access(path, F_OK))
		w->epoll = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; i < n; i++)
		for (j = 0; j < readers[i].n_cpus; j++)
			if (w->epoll >= 0 &&
			    epoll_ctl(w->epoll, EPOLL_CTL_ADD, readers[i].cpus[j].fd, &event))
				ftrace_waiter_close(w);
}

void ftrace_waiter_close(struct ftrace_waiter *w)
{
	if (w->epoll >= 0)
		close(w->epoll);
	w->epoll = -1;
}

/* How full the fullest ring was found in the last round, in sixteenths. */
static unsigned int fullness(const struct ftrace_reader *readers, unsigned int n)
{
	unsigned int i, j, most = 0;

	for (i = 0; i < n; i++)
		for (j = 0; j < readers[i].n_cpus; j++) {
			unsigned int full = readers[i].cpus[j].pages * 16 / readers[i].ring_pages;

			if (full > most)
				most = full;
		}
	return most;
}

/*
 * Some kernels have buffer_percent, but poll(2) ignores it, and wakes sonde again and again for
 * rings that are nearly empty. Then sonde takes naps as well, shorter naps when rings are fuller.
 */
int ftrace_wait(struct ftrace_waiter *w, const struct ftrace_reader *readers, unsigned int n,
		int timeout_ms)
{
	unsigned int full = fullness(readers, n);
	struct epoll_event event;
	int ready, nap;

	if (w->epoll >= 0 && w->woken) {
		if (full > 1)
			w->false_wakes = 0;
		else if (++w->false_wakes > FALSE_WAKES)
			ftrace_waiter_close(w);
	}
	if (w->epoll >= 0) {
		ready = epoll_wait(w->epoll, &event, 1, timeout_ms);
		w->woken = ready > 0;
		if (!w->woken)
			w->false_wakes = 0;
		return ready ? -1 : timeout_ms;
	}
	if (full > 4)
		w->nap = w->nap / 2 > NAP_MIN ? w->nap / 2 : NAP_MIN;
	else if (full < 1)
		w->nap = w->nap * 2 < NAP_MAX ? w->nap * 2 : NAP_MAX;
	nap = timeout_ms >= 0 && timeout_ms < (int)w->nap ? timeout_ms : (int)w->nap;
	return poll(NULL, 0, nap) ? -1 : nap;
}
