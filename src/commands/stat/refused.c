// SPDX-License-Identifier: GPL-2.0
/* Why the kernel does not open a counter, in words. */
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "src/commands/stat/counters.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static int too_many(const struct stat_counters *c, int error, struct error *err)
{
	unsigned long long n = (unsigned long long)c->n_places * c->events->n;
	const char *what = c->whole_cpus ? "CPU" : "thread";
	struct rlimit limit = { };

	getrlimit(RLIMIT_NOFILE, &limit);
	if (error == EMFILE)
		return fail(err, "%u event%s of %u %s%s are %llu open files, and this process may "
				 "have %llu\nraise the limit (ulimit -n), or count fewer events",
			    c->events->n, c->events->n == 1 ? "" : "s", c->n_places, what,
			    c->n_places == 1 ? "" : "s", n, (unsigned long long)limit.rlim_cur);
	return fail_with(err, error,
			 "the kernel has no room for %llu counters: %m\ncount fewer events", n);
}

int counters_refused(const struct stat_counters *c, const struct stat_event *e,
		     const struct stat_place *place, int error, struct error *err)
{
	char paranoid[32] = "missing";
	bool of_other = place->task > 0 && !c->at_exec;

	if (error == ENOSYS)
		return fail(err, "this kernel can't count: it has no perf_event_open(2) "
				 "(CONFIG_PERF_EVENTS)");
	if (error != EACCES && error != EPERM)
		return too_many(c, error, err);
	file_line(PARANOID, paranoid, sizeof(paranoid));
	if (!geteuid())
		return fail_with(err, error,
				 "the kernel does not permit counting %s: %m\nroot may be limited "
				 "here: by a container's seccomp profile, or by missing "
				 "capabilities (CAP_PERFMON, CAP_SYS_ADMIN)", e->name);
	if (c->whole_cpus)
		return fail(err, "counting %s on whole CPUs is not permitted: " PARANOID " is %s\n"
				 "run it as root, or count a command or a process of yours",
			    e->name, paranoid);
	return fail(err, "counting %s%s is not permitted: " PARANOID " is %s%s\nrun it as root, "
			 "or lower that number to 1", e->name,
		    of_other ? " in that process" : "", paranoid,
		    of_other ? ", and a process of somebody else needs root in any case" : "");
}
