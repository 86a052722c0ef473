// SPDX-License-Identifier: GPL-2.0
/* Which tasks the user asked for: from options to ids, and from ids to the maps of a plan. */
#include "src/filters.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "src/run.h"
#include "src/tools.h"

/* A row more is all that a filter needs, beside its option in src/options/common.c. */
const struct filter_row filter_rows[] = {
	{ "pid", "tgid", FILTER_ID, MAP_TGIDS, 4, .of_pids = true },
	/* insns/programs/family.c keeps the map. */
	{ "exec", "tgid", FILTER_LISTED, MAP_FAMILY, 4, .of_pids = true },
	{ "tid", "tid", FILTER_ID, MAP_TIDS, 4, .of_pids = true },
	{ "uid", "uid", FILTER_ID, MAP_UIDS, 4 },
	{ }
};

/* Ids here are not those of the kernel's events. */
static int refuse_pids(const struct run *r, const char *option, struct error *err)
{
	return fail(err, "%s: --%s needs process ids of the initial pid namespace, "
		    "and sonde runs in another one\nrun it on the host, or in a "
		    "container with the host's pid namespace (docker run "
		    "--pid=host)", r->tool->name, option);
}

static int check_pids(const struct run *r, struct error *err)
{
	/* Options of tools that take such ids from the user, or from /proc. */
	static const char *const by_id[] = { "ppid", "pids", "pidnss",
					     "user-threads-only", "kernel-threads-only" };

	if (run_ids_are_procs(r))
		return 0;
	for (const struct filter_row *row = filter_rows; row->option; row++)
		if (row->of_pids && option_given(r->options, row->option))
			return refuse_pids(r, row->option, err);
	for (size_t i = 0; i < sizeof(by_id) / sizeof(by_id[0]); i++)
		if (option_number(r->options, by_id[i]) || option_given(r->options, by_id[i]))
			return refuse_pids(r, by_id[i], err);
	return 0;
}

static unsigned int count_ids(const struct run *r)
{
	unsigned int total = 0, n;

	for (const struct filter_row *row = filter_rows; row->option; row++) {
		option_list(r->options, row->option, &n);
		total += n;
	}
	return total;
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

int filters_read(struct filters *f, struct run *r, struct error *err)
{
	uint64_t *ids = calloc(count_ids(r) + 1, sizeof(*ids));

	f->ids = ids;
	if (!ids)
		return fail(err, "out of memory");
	for (const struct filter_row *row = filter_rows; row->option; row++) {
		struct asked_filter a = { .row = row, .ids = ids };
		const int64_t *values = option_list(r->options, row->option, &a.n);

		for (unsigned int i = 0; i < a.n; i++)
			*ids++ = (uint64_t)values[i];
		if (a.n || (row->test == FILTER_LISTED && option_given(r->options, row->option)))
			f->filter.asked[f->filter.n++] = a;
	}
	f->name = option_text(r->options, "name");
	if (note_processes(f, err))
		return -1;
	if (!kernel_live(r->kernel))
		return 0;
	if (run_ids_are_procs(r) && !option_number(r->options, "include-self"))
		f->filter.self = (uint32_t)getpid();
	return check_pids(r, err);
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
	free(f->ids);
	free(f->processes);
}

int filters_fill(const struct filters *f, struct run *r, struct error *err)
{
	static const uint32_t one = 1;

	for (unsigned int i = 0; i < f->filter.n; i++) {
		const struct asked_filter *a = &f->filter.asked[i];

		for (unsigned int j = 0; filter_has_map(a) && j < a->n; j++) {
			const uint32_t narrow = (uint32_t)a->ids[j];
			const void *key = a->row->key_size == 4 ? (const void *)&narrow :
					  &a->ids[j];

			if (run_set(r, a->row->map, key, &one, err))
				return -1;
		}
	}
	return 0;
}
