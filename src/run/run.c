// SPDX-License-Identifier: GPL-2.0
/* What a tool may ask of its run, and what the session sets up before there is a kernel to ask. */
#include "src/run/run.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/binaries/binaries.h"
#include "compat/containers/container_names.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/tasks/cgroup.h"
#include "compat/tasks/owners.h"
#include "insns/programs/family.h"
#include "src/lib/output/sink.h"
#include "src/run/container_column.h"
#include "src/run/options/common.h"
#include "src/run/plan_memory.h"
#include "src/run/stop.h"
#include "src/run/tools.h"

void *run_state(struct run *r)
{
	return r->state;
}

const struct options *run_options(const struct run *r)
{
	return r->options;
}

const void *run_asked(const struct run *r)
{
	return options_asked(r->options);
}

struct output *run_output(const struct run *r)
{
	return r->output;
}

struct kernel *run_kernel(const struct run *r)
{
	return r->kernel;
}

int run_binaries(struct run *r, const char *library, const char *list,
		 const char *const *functions, struct error *err)
{
	const bool named = list != NULL;

	while (list) {
		size_t n = strcspn(list, ",");
		char *path = strndup(list, n);
		struct error why = { "out of memory" };
		int result = !path ? -1 : !n ? 0 :
			     kernel_binary(r->kernel, library, path, functions, &why);

		free(path);
		r->outcome.unfit = result;
		if (result)
			return fail_with(err, why.number, "%s: %s", r->tool->name, why.text);
		list = list[n] ? list + n + 1 : NULL;
	}
	return named ? kernel_binary(r->kernel, library, NULL, functions, err) : 0;
}

bool run_filtered(const struct run *r)
{
	return r->filters.filter.n;
}

bool run_is_exact(const struct run *r)
{
	return r->feed;
}

struct metrics *run_metrics(const struct run *r)
{
	return r->metrics;
}

void run_constant(struct run *r, const char *name, int64_t value)
{
	struct error err;
	char *copy;

	assert(*name);
	for (unsigned int i = 0; i < r->n_constants; i++)
		if (!strcmp(r->constants[i].name, name)) {
			r->constants[i].value = value;
			return;
		}
	copy = r->n_constants + 1 < RUN_CONSTANTS ? strdup(name) : NULL;
	if (copy) {
		r->constants[r->n_constants++] = (struct constant){ copy, value };
		return;
	}
	fail(&err, "no room for the constant %s", name);
	run_fail(r, &err);
}

void run_programs(struct run *r, const struct program_set *programs)
{
	r->programs = programs;
}

void run_columns(struct run *r, const struct column *columns)
{
	for (const struct column *c = columns; c->head; c++)
		assert(column_is_told(c));
	r->columns = columns;
}

uint64_t run_newly_lost(const struct run *r, uint64_t *before)
{
	const struct engine_stats s = run_stats(r);
	uint64_t lost, newly;

	lost = s.lost + s.late + s.unpaired + s.full + s.missed;
	if (lost < *before)
		return 0;
	newly = lost - *before;
	*before = lost;
	return newly;
}

bool run_shown(void *arg, const char *name)
{
	const struct run *r = arg;

	for (unsigned int i = 0; i < r->n_constants; i++)
		if (!strcmp(r->constants[i].name, name))
			return r->constants[i].value;
	return false;
}

bool run_has_hook(const struct run *r, const char *hook)
{
	for (unsigned int i = 0; i < r->plan.plan.n_programs; i++)
		if (!strcmp(r->plan.plan.programs[i].program->hook, hook))
			return true;
	return false;
}

bool run_has_input(const struct run *r, const char *hook, const char *input)
{
	for (unsigned int i = 0; i < r->plan.plan.n_programs; i++) {
		const struct plan_program *p = &r->plan.plan.programs[i];

		if (!strcmp(p->program->hook, hook) && event_input(p->event, input))
			return true;
	}
	return false;
}

/* For fields: "HOOK:INPUT". */
static bool is_known(void *arg, const char *input)
{
	const char *colon = strchr(input, ':');
	char hook[64];

	if (!colon || (size_t)(colon - input) >= sizeof(hook))
		return false;
	memcpy(hook, input, (size_t)(colon - input));
	hook[colon - input] = '\0';
	return run_has_input(arg, hook, colon + 1);
}

static int64_t since_start(void *arg, uint64_t time)
{
	return run_since_start(arg, time);
}

static int64_t wall_clock_of(void *arg, uint64_t time)
{
	return run_wall_clock(arg, time);
}

/* Of a recording only its own time is known, and maybe the time of day. */
static void moment(void *arg, struct output_moment *now)
{
	struct run *r = arg;
	const bool wall = run_is_live(r) || r->time.wall.n;

	*now = (struct output_moment){
		.engine = (int64_t)run_now(r), .monotonic = NOTHING, .boot = NOTHING,
		.wall = NOTHING,
	};
	if (run_is_live(r)) {
		now->monotonic = clock_ns(CLOCK_MONOTONIC);
		now->boot = clock_ns(CLOCK_BOOTTIME);
	}
	if (wall)
		now->wall = run_wall_clock(r, (uint64_t)now->engine);
}

static bool interval(void *arg, int64_t *began, int64_t *ended)
{
	const struct run *r = arg;

	*began = r->time.interval.began;
	*ended = r->time.interval.ended;
	return *began && *ended > *began;
}

struct output *run_output_new(struct run *r, FILE *file, const struct output_format *format)
{
	const struct output_source source = {
		.columns = r->columns, .parts = r->tool->parts,
		.shown = run_shown, .known = is_known,
		.since_start = since_start, .wall_clock = wall_clock_of, .arg = r,
		.moment = moment, .interval = interval, .name = r->tool->name,
		.beside = owners_columns(r), .zone = r->time.zone,
		.metrics = r->tool->metrics ? NULL : r->metrics,
		.summed = r->tool->shape == SHAPE_INTERVALS,
	};
	struct output *o = output_new(file, format, &source);
	struct percentiles percentiles;

	if (o && common_of(r->options)->percentiles_given &&
	    percentiles_read(common_of(r->options)->percentiles, &percentiles))
		output_percentiles(o, &percentiles);
	return o;
}

bool run_wanted(struct run *r, const void *record)
{
	uint64_t time;

	memcpy(&time, record, sizeof(time));
	run_since_start(r, time);
	return filters_want(&r->filters, r->tool->parts, record);
}

/* Layouts have names of their own within a tool. */
static bool is_row(const struct run *r, const struct record_layout *l)
{
	const struct part *parts = r->tool->parts;

	return parts && !strcmp(parts->layout->name, l->name);
}

void run_record(void *run, unsigned int output, const void *bytes, uint32_t size)
{
	struct run *r = run;
	const struct map *map = &r->plan.plan.maps[output];
	const struct record record = {
		.output = map, .layout = map->value ? layout_of(map->value, bytes, size) : NULL,
		.bytes = bytes, .size = size,
	};

	assert(output < r->plan.plan.n_maps && r->plan.plan.maps[output].kind == MAP_OUTPUT);
	if (r->outcome.ended || (map->value && !record.layout) || owners_took(r, &record))
		return;
	if (r->tool->record)
		r->tool->record(r, &record);
	else if (record.layout && is_row(r, record.layout) && run_wanted(r, bytes))
		output_row(r->output, bytes);
}

void run_note(const struct run *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(sink_err(), "sonde: %s: ", r->tool->name);
	vfprintf(sink_err(), format, args);
	fputc('\n', sink_err());
	va_end(args);
}

bool run_is_recorded(const struct run *r)
{
	return r->recording != NULL;
}

const struct recorded_disk *run_recorded_disk(const struct run *r, uint64_t number,
					      const char *name)
{
	return r->recording ? recorded_disk(r->recording, number, name) : NULL;
}

void run_each_recorded(const struct run *r, void (*each)(void *arg, const struct run_task *task),
		       void *arg)
{
	const struct recorded_task *task;
	uint32_t at = 0;

	while (r->recording && (task = recording_task(r->recording, &at)))
		each(arg, &(struct run_task){ task->tid, task->pid, task->ppid, task->began });
}

const char *run_container_title(const struct run *r, const struct container_path *c)
{
	return r->containers ? container_title(r->containers, c) : NULL;
}

bool run_is_live(const struct run *r)
{
	return r->live;
}

bool run_ids_are_procs(const struct run *r)
{
	return run_is_live(r) && kernel_has(r->kernel, FEATURE_ROOT_PIDNS);
}

bool run_map(const struct run *r, const char *map)
{
	return plan_map(&r->plan.plan, map) >= 0;
}

static int map_number(struct run *r, const char *map, struct error *err)
{
	int n = plan_map(&r->plan.plan, map);

	return n < 0 ? fail(err, "%s: there is no map %s", r->tool->name, map) : n;
}

const struct record_layout *run_key(const struct run *r, const char *map)
{
	int n = plan_map(&r->plan.plan, map);

	return n < 0 ? NULL : r->plan.plan.maps[n].key;
}

int run_take(struct run *r, const char *map, entry_fn entry, void *arg, struct error *err)
{
	int n = map_number(r, map, err);

	assert(r->engine && entry);
	return n < 0 ? -1 : r->backend->take(r->engine, (unsigned int)n, entry, arg, err);
}

struct counts {
	int64_t *list;
	uint32_t n;
};

static void set_count(void *arg, const void *key, const void *value)
{
	const struct counts *c = arg;
	uint32_t i;

	memcpy(&i, key, sizeof(i));
	if (i < c->n)
		memcpy(&c->list[i], value, sizeof(c->list[i]));
}

int run_take_counts(struct run *r, const char *map, int64_t *counts, uint32_t n,
		    struct error *err)
{
	struct counts c = { counts, n };

	return run_take(r, map, set_count, &c, err);
}

int run_set(struct run *r, const char *map, const void *key, const void *value, struct error *err)
{
	return run_set_from(r, map, key, value, 0, err);
}

int run_set_from(struct run *r, const char *map, const void *key, const void *value, uint64_t time,
		 struct error *err)
{
	const struct entry entry = { key, value, time };
	int n = map_number(r, map, err);

	assert(r->engine && key);
	return n < 0 ? -1 : r->backend->set(r->engine, (unsigned int)n, &entry, err);
}

#define ADDED_MOST 8			/* u64 of such a value */

int run_add(struct run *r, const char *map, const void *key, const void *value, struct error *err)
{
	const int n = map_number(r, map, err);
	uint64_t entry[ADDED_MOST], by;

	if (n < 0)
		return -1;
	assert(r->engine && key && r->plan.plan.maps[n].added &&
	       r->plan.plan.maps[n].value_size <= sizeof(entry));
	if (r->backend->add)
		return r->backend->add(r->engine, (unsigned int)n, key, value, err);
	if (run_get(r, map, key, entry))
		return run_set(r, map, key, value, err) ? -1 : 1;
	memcpy(&by, value, sizeof(by));
	entry[0] += by;
	return run_set(r, map, key, entry, err);
}

int run_get(struct run *r, const char *map, const void *key, void *value)
{
	int n = map_number(r, map, NULL);

	assert(r->engine && n >= 0 && key && value);
	return n < 0 ? -1 : r->backend->get(r->engine, (unsigned int)n, key, value);
}

int run_walk(struct run *r, const char *hook, struct error *err)
{
	const struct plan *p = &r->plan.plan;

	assert(r->engine && r->backend->walk);
	for (unsigned int i = 0; i < p->n_attachments; i++) {
		const struct plan_program *of = p->attachments[i].program;
		int more = of && !strcmp(of->program->hook, hook);

		while (more > 0 && !r->outcome.ended && !stop_signal)
			more = r->backend->walk(r->engine, i, run_record, r, err);
		if (more < 0)
			return -1;
	}
	return 0;
}

void run_interval_head(struct run *r)
{
	output_line(r->output, "%s", "");
	if (common_of(r->options)->timestamp)
		output_line(r->output, "%s", run_local(r, run_interval_clock(r)).time);
}

void run_table_head(struct run *r)
{
	run_interval_head(r);
	output_heads(r->output);
}

void run_untimed(struct run *r, uint64_t n)
{
	r->untimed += n;
}

void run_read_again(struct run *r, uint64_t n)
{
	r->read_again += n;
}

void run_command(struct run *r, char *const *command)
{
	r->command = command;
}

int run_command_process(struct run *r, struct error *err)
{
	char *const *asked = option_command(r->options),
	     *const *command = asked ? asked : r->command;

	/* No limits are raised yet that the command must not have. */
	return !command || r->child.pid || !child_start(&r->child, command, NULL, NULL, err) ?
	       r->child.pid : -1;
}

bool run_dumps(const struct run *r)
{
	return r->outcome.dumps;
}

void run_dump(struct run *r)
{
	r->outcome.dumps = true;
}

void run_end(struct run *r)
{
	r->outcome.ended = true;
}

void run_status(struct run *r, uint8_t status)
{
	r->outcome.status = status;
}

void run_fail(struct run *r, const struct error *err)
{
	if (!r->outcome.failed)
		r->outcome.error = *err;
	r->outcome.failed = true;
	run_end(r);
}

void run_unfit(struct run *r)
{
	r->outcome.unfit = true;
}

void run_unfit_text(struct run *r)
{
	r->outcome.unfit = true;
	r->outcome.own_text = true;
}

struct engine_stats run_stats(const struct run *r)
{
	struct engine_stats s = { };

	assert(r->engine);
	r->backend->stats(r->engine, &s);
	return s;
}

const char *run_name(const struct run *r)
{
	return r->tool->name;
}

const struct plan *run_plan(const struct run *r)
{
	return &r->plan.plan;
}

const struct resolution *run_resolution(const struct run *r)
{
	return &r->plan.resolution;
}

int run_prepare(struct run *r, struct error *err)
{
	struct error why = { };

	if (zone_open(&r->time.zone, err)) {
		run_unfit(r);
		return -1;
	}
	if (filters_read(&r->filters, r->kernel, r->options, &why))
		return fail_with(err, why.number, "%s: %s", r->tool->name, why.text);
	kernel_set_processes(r->kernel, r->filters.filter.processes,
			     r->filters.filter.n_processes);
	for (const struct constant *c = options_constants(r->options); c && c->name; c++)
		run_constant(r, c->name, c->value);
	run_constant(r, "filtered", run_filtered(r));
	run_constant(r, "exact", run_is_exact(r));
	if (common_of(r->options)->by_cgroup) {
		run_constant(r, "cgroup1", !cgroup_version2());
		if (run_is_live(r))
			r->containers = container_names_new(containers_root());
	}
	if (r->tool->state_size) {
		r->state = calloc(1, r->tool->state_size);
		if (!r->state)
			return fail(err, "out of memory");
	}
	if (owners_prepare(r, err))
		return -1;
	r->programs = r->tool->programs;
	r->columns = r->tool->columns;
	if (r->tool->prepare && r->tool->prepare(r, err))
		return -1;
	const struct run_outcome *o = &r->outcome;

	return o->failed ? fail_with(err, o->error.number, "%s", o->error.text) : 0;
}

struct plan_request run_request(const struct run *r)
{
	struct plan_request request = {
		.kernel = r->kernel,
		.sets = { r->programs,
			  filter_asked(&r->filters.filter, "exec") ? &family_programs : NULL },
		.options = r->constants,
		.filter = &r->filters.filter,
		.buffer_pages = (unsigned int)common_of(r->options)->buffer_pages,
		.forced = common_of(r->options)->backend != NULL,
		.memory = tables_memory(r->kernel),
	};

	run_listeners_request(r, &request);
	return request;
}

void run_free(struct run *r)
{
	if (r->tool->cleanup && r->state)
		r->tool->cleanup(r);
	for (unsigned int i = 0; i < r->n_constants; i++)
		free((char *)r->constants[i].name);
	run_listeners_free(&r->listeners);
	local_clock_close(r->clock);
	plan_free(&r->plan);
	output_free(r->output);
	zone_close(&r->time.zone);
	options_free(r->options);
	kernel_free(r->kernel);
	filters_free(&r->filters);
	container_names_free(r->containers);
	owners_free(r->owners);
	free(r->state);
}
