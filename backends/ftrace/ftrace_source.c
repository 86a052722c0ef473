// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "compat/base/text.h"

int ftrace_source_open(struct ftrace_source *s, const char *path, bool shared, struct error *err)
{
	char file[PATH_MAX];

	text_all(file, sizeof(file), "%s/tracing_on", path);
	s->tracing_on = open(file, O_WRONLY | O_CLOEXEC);
	if (s->tracing_on < 0 || write(s->tracing_on, "0", 1) != 1)
		return tracefs_fail(err, errno, "can't write %s", file);
	text_all(file, sizeof(file), "%s/tracing_cpumask", path);
	s->cpus = shared ? -1 : open(file, O_WRONLY | O_CLOEXEC);
	return 0;
}

int ftrace_source_on(struct ftrace_source *s, struct error *err)
{
	if (write(s->tracing_on, "1", 1) == 1)
		return 0;
	return tracefs_fail(err, errno, "can't start tracing in %s", instance_path(s->instance));
}

/*
 * Writing tracing_on takes a lock of the kernel. A process that makes or removes an instance or an
 * event holds this lock, for seconds, and rings overflow meanwhile. Writing an empty set of CPUs
 * takes no such lock.
 */
bool ftrace_source_off(const struct ftrace_source *s)
{
	return (s->cpus >= 0 && write(s->cpus, "0", 1) == 1) || write(s->tracing_on, "0", 1) == 1;
}

void ftrace_source_close(struct ftrace_source *s)
{
	if (s->tracing_on >= 0)
		close(s->tracing_on);
	if (s->cpus >= 0)
		close(s->cpus);
	ftrace_events_free(&s->events);
}
