// SPDX-License-Identifier: GPL-2.0
#include "src/lang/probes/typed_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASK(MEMBER, ARGUMENT) "+{task_struct." MEMBER "}($arg" ARGUMENT "):s32"

/* prev_state of sched_switch is computed, in another way on each kernel. */
static const struct {
	const char *event, *field, *fetch;
} fields[] = {
	{ "sched:sched_wakeup", "pid", TASK("pid", "1") },
	{ "sched:sched_wakeup", "prio", TASK("prio", "1") },
	{ "sched:sched_wakeup_new", "pid", TASK("pid", "1") },
	{ "sched:sched_wakeup_new", "prio", TASK("prio", "1") },
	{ "sched:sched_waking", "pid", TASK("pid", "1") },
	{ "sched:sched_waking", "prio", TASK("prio", "1") },
	{ "sched:sched_switch", "prev_pid", TASK("pid", "2") },
	{ "sched:sched_switch", "prev_prio", TASK("prio", "2") },
	{ "sched:sched_switch", "next_pid", TASK("pid", "3") },
	{ "sched:sched_switch", "next_prio", TASK("prio", "3") },
	{ "irq:softirq_entry", "vec", "$arg1:u32" },
	{ "irq:softirq_exit", "vec", "$arg1:u32" },
	{ "irq:softirq_raise", "vec", "$arg1:u32" },
	{ "irq:irq_handler_entry", "irq", "$arg1:s32" },
	{ "irq:irq_handler_exit", "irq", "$arg1:s32" },
	{ "irq:irq_handler_exit", "ret", "$arg3:s32" },
};

static const char *fetch_of_field(const char *event, const char *field)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (!strcmp(fields[i].event, event) && !strcmp(fields[i].field, field))
			return fields[i].fetch;
	return NULL;
}

char *typed_fields(const struct scope *s, const char *event)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool all = to, any = false;

	for (unsigned int i = 0; all && i < s->n_inputs; i++) {
		const struct lang_input *in = &s->inputs[i];
		const char *fetch = in->identity ? "" : fetch_of_field(event, in->fetch);

		all = fetch;
		if (in->identity || !fetch)
			continue;
		fprintf(to, "%s%s=%s", any ? " " : "", in->name, fetch);
		any = true;
	}
	if (to && !fclose(to) && all && any)
		return text;
	free(text);
	return NULL;
}
