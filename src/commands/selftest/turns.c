// SPDX-License-Identifier: GPL-2.0
#include "src/commands/selftest/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "compat/base/clock.h"

int turns_prepare(struct work *w)
{
	struct turns *s = w->state;
	int there[2], back[2], child;
	char byte;

	if (work_hold(w))
		return -1;
	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		return not_here(w, "no pipe: %s", strerror(errno));
	child = work_fork();
	if (child < 0)
		return not_here(w, "can't make a process: %s", strerror(errno));
	if (!child) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	s->there = there[1];
	s->back = back[0];
	return 0;
}

int turns_work(struct work *w)
{
	const struct turns *s = w->state;
	struct rusage before, after;
	int64_t start = clock_ns(CLOCK_MONOTONIC) / 1000;
	char byte = 0;

	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < TURNS; i++)
		if (write(s->there, &byte, 1) != 1 || read(s->back, &byte, 1) != 1)
			return not_here(w, "a pipe broke: %s", strerror(errno));
	getrusage(RUSAGE_SELF, &after);
	say_integer(w, "gave_way", after.ru_nvcsw - before.ru_nvcsw);
	say_integer(w, "preempted", after.ru_nivcsw - before.ru_nivcsw);
	say_integer(w, "usecs", clock_ns(CLOCK_MONOTONIC) / 1000 - start);
	return 0;
}

int64_t turns_switches(const struct found *f)
{
	return said_integer(f, "gave_way") + said_integer(f, "preempted");
}

int64_t turns_usecs(const struct found *f)
{
	return said_integer(f, "usecs");
}
