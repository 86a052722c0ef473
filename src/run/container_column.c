// SPDX-License-Identifier: GPL-2.0
#include "src/run/container_column.h"

#include <string.h>

#include "compat/base/clock.h"
#include "compat/containers/container_names.h"
#include "compat/tasks/cgroup.h"
#include "compat/tasks/owners.h"
#include "compat/tasks/task_group.h"
#include "insns/lower/whose.h"
#include "src/lib/output/listener.h"
#include "src/lib/output/records.h"
#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"
#include "src/run/run.h"

#define LOOKS_MOST 100			/* containers that are looked for each second */

/* People have what a group is called; machines the container, and the path. */
enum { CONTAINER, GROUP };
static const struct column columns[] = {
	[CONTAINER] = { "CONTAINER", "container", COLUMN_TEXT, -20, .role = IS_IDENTITY,
			.option = CONTAINER_NAMES },
	[GROUP] = { "CGROUP", "cgroup", COLUMN_TEXT, 0, .option = CONTAINER_NAMES,
		    .readers = FOR_MACHINES },
	{ }
};

/* The unit; otherwise the last part of the path. */
static struct text name_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *unit;
	size_t n, length;

	if (!slash)		/* the id of a group that is gone is no name */
		return (struct text){ };
	unit = unit_of_path(path, &n, &length);
	if (unit)
		return text_of(unit, n);
	return slash[1] ? text_of(slash + 1, strlen(slash + 1)) : text_of("/", 1);
}

static struct text container_of(const struct run *r, const char *path, bool people)
{
	struct container_path c;
	const char *title;

	if (!container_of_path(path, &c))
		return people ? name_of(path) : (struct text){ };
	title = run_container_title(r, &c);
	return title ? text_of(title, strlen(title)) : (struct text){ };
}

static struct text text(void *arg, const struct column *c, const struct output_actor *actor,
			bool people)
{
	const struct run *r = arg;
	const char *path = actor->pid == NOTHING ? NULL :
			   owners_find(r->owners, (uint32_t)actor->pid, actor->time);

	if (!path)
		return (struct text){ };
	return c == &columns[GROUP] ? text_of(path, strlen(path)) : container_of(r, path, people);
}

struct output_beside owners_columns(const struct run *r)
{
	return r->owners ? (struct output_beside){ columns, text } : (struct output_beside){ };
}

static bool is_asked(const struct run *r)
{
	const struct common_options *o = common_of(r->options);
	const bool containers = o->container || o->pod || o->unit;

	return o->container_names || (containers && tool_shows_tasks(r->tool));
}

static bool is_shown(struct run *r, const struct column *c)
{
	return (!c->option || run_shown(r, c->option)) && (!c->unless || !run_shown(r, c->unless));
}

/*
 * With some options a tool's rows are sums, or without one they have no task: then there is no
 * column of it that is shown, and this is the one of its process.
 */
static const struct column *hidden(struct run *r)
{
	const struct column *pid = NULL;

	for (const struct column *c = r->tool->columns; c && c->head; c++) {
		if (cell_is_of_actor(c) && is_shown(r, c))
			return NULL;
		if (!strcmp(c->name, "pid"))
			pid = c;
	}
	return pid;
}

static int refuse(struct run *r, const struct column *pid, struct error *err)
{
	const bool unless = pid->unless && run_shown(r, pid->unless);

	return fail(err, "%s: --" CONTAINER_NAMES " would do nothing with%s --%s: rows are of no "
		    "single process then", r->tool->name, unless ? "" : "out",
		    unless ? pid->unless : pid->option);
}

int owners_prepare(struct run *r, struct error *err)
{
	const struct column *none = is_asked(r) ? hidden(r) : NULL;
	const bool asked = is_asked(r) && !none;

	if (common_of(r->options)->container_names && none)
		return refuse(r, none, err);
	if (r->tool->shape == SHAPE_EVENTS)
		run_constant(r, CONTAINER_NAMES, asked);
	if (!asked || !run_is_live(r))
		return 0;
	run_constant(r, "cgroup1", !cgroup_version2());
	r->owners = owners_new((struct owner_sources){
		.of_id = cgroup_path_of,
		.of_process = run_ids_are_procs(r) ? task_group : NULL,
		.now = monotonic_ns,
		.version2 = cgroup_version2_alone(),
	});
	if (!r->containers)
		r->containers = container_names_new(containers_root());
	if (!r->owners || !r->containers)
		return fail(err, "out of memory");
	container_names_limit(r->containers, LOOKS_MOST);
	return 0;
}

bool owners_took(struct run *r, const struct record *record)
{
	struct whose_record whose;

	if (!r->owners)
		return false;
	owners_tidy(r->owners);
	container_names_tidy(r->containers);
	if (strcmp(record->output->name, MAP_WHOSE))
		return false;
	memcpy(&whose, record->bytes, sizeof(whose));
	owners_tell(r->owners, (uint32_t)(whose.pid_tgid >> 32), whose.time, whose.cgroup);
	return true;
}
