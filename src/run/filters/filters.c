// SPDX-License-Identifier: GPL-2.0
/* Which tasks the user asked for: from options to ids, and from ids to the maps of a plan. */
#include "src/run/filters/filters_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "compat/kernel/doubt.h"
#include "compat/tasks/namespace.h"
#include "src/run/options/common.h"
#include "src/run/tools.h"

/* A row more is all that a filter needs, beside its option in src/run/options/common.c. */
const struct filter_option filter_options[] = {
	{ { "pid", "tgid", FILTER_ID, MAP_TGIDS, 4, .of_pids = true, .of_others = true } },
	/* insns/programs/family.c keeps the map. */
	{ { "exec", "tgid", FILTER_LISTED, MAP_FAMILY, 4, .of_pids = true } },
	{ { "tid", "tid", FILTER_ID, MAP_TIDS, 4, .of_pids = true, .of_others = true } },
	{ { "uid", "uid", FILTER_ID, MAP_UIDS, 4 } },
	{ { "ppid", "ppid", FILTER_ID, ".ppids", 4, .of_pids = true } },
	{ { "mntns", "mntns", FILTER_ID, ".mntns", 4, .followed = true }, filter_namespaces },
	{ { "pidns", "pidns", FILTER_ID, ".pidns", 4, .followed = true }, filter_namespaces },
	{ { "cgroup", NULL, FILTER_UNDER, ".cgroup", 4, .bpf = FEATURE_BPF_UNDER_CGROUP,
	    .no_bpf = "BPF programs of this kernel are not told whether a task is in a cgroup "
		      "(4.9)",
	    .followed = true }, filter_cgroups },
	{ { "cgroupmap", "cgroup", FILTER_PINNED, ".cgroupmap", 8 }, filter_pinned },
	{ { "mntnsmap", "mntns", FILTER_PINNED, ".mntnsmap", 8 }, filter_pinned },
	{ }
};

/* Ids here are not those of the kernel's events. */
static int refuse_pids(struct kernel *k, const char *option, struct error *err)
{
	struct error why;

	namespace_not_initial(k, "", &why);
	return fail_with(err, why.number,
			 "--%s needs process ids of the initial pid namespace, and %.300s\n%s",
			 option, why.text, kernel_unknown(k, FEATURE_ROOT_PIDNS) ?
			 "/proc must be mounted and readable: mount -t proc proc /proc" :
			 "run it on the host, or in a container with the host's pid namespace "
			 "(docker run --pid=host)");
}

static int check_pids(struct kernel *k, const struct options *o, struct error *err)
{
	/* Options of tools that take such ids from the user, or from /proc. */
	const struct common_options *c = common_of(o);
	const char *by_id = c->pids ? "pids" : c->pidnss ? "pidnss" :
			    c->user_threads_only ? "user-threads-only" :
			    c->kernel_threads_only ? "kernel-threads-only" : NULL;

	for (const struct filter_option *f = filter_options; f->row.option; f++)
		if (f->row.of_pids && option_given(o, f->row.option))
			return refuse_pids(k, f->row.option, err);
	return by_id ? refuse_pids(k, by_id, err) : 0;
}

int filters_room(struct filters *f, struct asked_filter *a, unsigned int n, struct error *err)
{
	f->ids[f->filter.n] = calloc(n + 1, sizeof(*a->ids));
	a->ids = f->ids[f->filter.n];
	return a->ids ? 0 : fail(err, "out of memory");
}

/* The option's values are the ids. */
static int read_list(struct filters *f, const struct options *o, struct asked_filter *a,
		     struct error *err)
{
	unsigned int n;
	const int64_t *values = option_list(o, a->row->option, &n);

	if (!n)
		return 0;
	if (filters_room(f, a, n, err))
		return -1;
	for (; a->n < n; a->n++)
		f->ids[f->filter.n][a->n] = (uint64_t)values[a->n];
	return 0;
}

static int read_option(struct filters *f, const struct options *o, const struct filter_option *row,
		       struct error *err)
{
	struct asked_filter a = { .row = &row->row };

	if ((row->read ? row->read : read_list)(f, o, &a, err))
		return -1;
	if (a.n || (row->row.test == FILTER_LISTED && option_given(o, row->row.option)))
		f->filter.asked[f->filter.n++] = a;
	return 0;
}

/* Engines can have events of some processes alone. */
static int note_processes(struct filters *f, struct error *err)
{
	const struct asked_filter *pid = filter_asked(&f->filter, "pid");

	if (!pid)
		return 0;
	f->processes = calloc(pid->n, sizeof(*f->processes));
	if (!f->processes)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < pid->n; i++)
		f->processes[i] = (uint32_t)pid->ids[i];
	f->filter.processes = f->processes;
	f->filter.n_processes = pid->n;
	return 0;
}

int filters_read(struct filters *f, struct kernel *k, const struct options *o, struct error *err)
{
	for (const struct filter_option *row = filter_options; row->row.option; row++)
		if (read_option(f, o, row, err))
			return -1;
	f->name = common_of(o)->name;
	if (note_processes(f, err))
		return -1;
	if (!kernel_live(k))
		return 0;
	if (!kernel_has(k, FEATURE_ROOT_PIDNS))
		return check_pids(k, o, err);
	if (!common_of(o)->include_self)
		f->filter.self = (uint32_t)getpid();
	return 0;
}

static bool is_detacher(struct filters *f, const struct part *parts, const void *record,
			const char *comm)
{
	const struct record_field *pid;

	if (strncmp(comm, DETACHER_NAME, sizeof(DETACHER_NAME)) || !f->filter.self ||
	    filter_of_processes(&f->filter))
		return false;
	pid = layout_field(parts->layout, "pid");
	return pid && pid->type == FIELD_TGID &&
	       detachers_have(&f->detachers, (uint32_t)(field_number(pid, record) >> 32));
}

bool filters_want(struct filters *f, const struct part *parts, const void *record)
{
	const struct record_field *field = parts ? layout_field(parts->layout, "comm") : NULL;
	const char *comm = field ? (const char *)record + field->offset : NULL;

	if (!comm)
		return true;
	return (!f->name || comm_matches(comm_text(comm), f->name)) &&
	       !is_detacher(f, parts, record, comm);
}

void filters_free(struct filters *f)
{
	for (unsigned int i = 0; i < f->n_cgroups; i++)
		cgroup_close(&f->cgroups[i]);
	for (unsigned int i = 0; i < f->filter.n; i++)
		filter_unpin(&f->filter.asked[i]);
	for (unsigned int i = 0; i < FILTERS; i++)
		free(f->ids[i]);
	free(f->cgroups);
	free((void *)f->scope.paths);
	free(f->processes);
}
