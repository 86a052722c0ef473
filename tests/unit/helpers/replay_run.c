// SPDX-License-Identifier: GPL-2.0
#include "src/run/filters/fill.h"
#include "src/run/options/tool_options.h"
#include "src/session/choice.h"
#include "src/session/run_listeners.h"
#include "tests/unit/helpers/replay_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/replay/replay.h"
#include "insns/programs/family.h"

/* The runs take a second, whatever is in the records. */
#define RUN_NS 1000000000

const char *const trial_versions[] = {
	"3.10", "4.1", "4.4", "4.9", "4.12", "4.19", "5.10", "6.1", "6.12", "7.2", NULL
};

struct kernel *trial_kernel(const char *version)
{
	struct kernel *k;
	struct error err;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", KERNELS, version);
	k = kernel_snapshot(path, &err);
	ck_assert_msg(k != NULL, "%s", err.text);
	return k;
}

static const struct tool *tool_by_name(const char *name)
{
	for (const struct tool *const *t = tools; *t; t++)
		if (!strcmp((*t)->name, name))
			return *t;
	return NULL;
}

const struct program_set *tool_set_after(const struct tool *t, const struct program_set *set)
{
	const struct program_set *last = t->last_resort ? t->last_resort->programs : NULL;

	if (!set)
		return t->programs;
	if (set->otherwise)
		return set->otherwise;
	for (const struct program_set *s = last; s; s = s->otherwise)
		if (s == set)
			return NULL;
	return last;
}

int trial_start(struct trial *t, const char *command, struct kernel *k)
{
	char *argv[32], *rest = t->words;
	int argc = 0;

	memset(t, 0, sizeof(*t));
	t->run.kernel = k;
	snprintf(t->words, sizeof(t->words), "%s", command);
	while (argc < 31 && (argv[argc] = strsep(&rest, " ")))
		argc++;
	t->run.listeners.list = all_run_listeners;
	t->run.tool = tool_by_name(argv[0]);
	if (!t->run.tool)
		return fail(&t->err, "there is no tool %s", argv[0]);
	if (argc == 1 && t->run.tool->asks)
		argv[argc++] = (char *)t->run.tool->asks;
	argv[argc] = NULL;
	if (tool_options(t->run.tool, argc, argv, &t->run.options, &t->err) != ACTION_RUN)
		return -1;
	return run_prepare(&t->run, &t->err);
}

int trial_plan(struct trial *t, enum target target)
{
	struct plan_request request = run_request(&t->run);

	/* no engine of rings in particular: perf refuses what others take */
	return plan_make(&request, target == TARGET_BPF ? &backend_bpf : &backend_replay,
			 &t->run.plan, &t->err);
}

int trial_open(struct trial *t, const char *records, const struct output_format *format)
{
	static const uint64_t first = FAMILY_FIRST;
	struct run *r = &t->run;
	struct source source;
	bool written;
	int fd, result;

	strcpy(t->records, "/tmp/sonde-unit-XXXXXX");
	fd = mkstemp(t->records);
	if (fd < 0)
		return fail(&t->err, "can't make a file for the records");
	written = dprintf(fd, "%s\nrun %d\n", records, RUN_NS) > 0;
	close(fd);
	result = !written ? fail(&t->err, "can't write the records") :
		 source_open(&source, t->records, "", NULL, &t->err) ||
		 choice_open(r, &source, &t->err);
	unlink(t->records);
	t->out = open_memstream(&t->text, &t->size);
	r->output = result ? NULL : run_output_new(r, t->out, format);
	if (!r->output)
		return -1;
	/* Whoever runs the tests may do so in a terminal. */
	setenv("TERM", "dumb", 1);
	if (run_listeners_open(r, &t->err) || filters_fill(&r->filters, r, &t->err) ||
	    run_listeners_attach(r, &t->err) ||
	    (r->tool->opened && r->tool->opened(r, &t->err)) ||
	    r->backend->start(r->engine, &t->err) ||
	    (t->child && run_set(r, MAP_FAMILY, &t->child, &first, &t->err)))
		return -1;
	return r->tool->started ? r->tool->started(r, &t->err) : 0;
}

static void record(void *arg, unsigned int output, const void *record, uint32_t size)
{
	run_record(arg, output, record, size);
}

int trial_replay(struct trial *t, const char *records, const struct output_format *format)
{
	struct run *r = &t->run;

	if (trial_open(t, records, format))
		return -1;
	if (!r->tool->tables)
		output_header(r->output);
	if (r->backend->poll(r->engine, UINT64_MAX, record, r, &t->err) < 0)
		return -1;
	r->time.interval.ended = RUN_NS;
	if ((r->tool->interval_end && r->tool->interval_end(r, &t->err)) ||
	    run_listeners_interval(r, &t->err))
		return -1;
	if (r->tool->finish)
		r->tool->finish(r);
	r->backend->stats(r->engine, &t->stats);
	return output_flush(r->output);
}

void trial_end(struct trial *t)
{
	if (t->run.engine)
		t->run.backend->close(t->run.engine);
	if (t->run.tool)
		run_free(&t->run);
	else
		kernel_free(t->run.kernel);
	if (t->out)
		fclose(t->out);
	free(t->text);
}
