// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/probes/typed_fields.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"

#define TASK(MEMBER, ARGUMENT) "+{task_struct." MEMBER "}($arg" ARGUMENT "):s32"
#define COMM(TASK) "+{task_struct.comm}(" TASK "):c16"
/* What the state that a record has is made of, beside the task's own state. */
#define REPORTED "preempted=$arg1:u8 exit_state=" TASK("exit_state", "2")

/*
 * A field may have several ways, with a row for each: a kernel serves one of them at most. `!`:
 * tasks may be preempted there (FEATURE_RAW_WHOLE).
 */
static const struct {
	const char *event, *field, *way;
} fields[] = {
	/* the first field is made; 5.18, 5.14, before */
	{ "sched:sched_switch", "prev_state", "$arg4:u32 " REPORTED },
	{ "sched:sched_switch", "prev_state", "+{task_struct.__state}($arg2):u32 " REPORTED },
	{ "sched:sched_switch", "prev_state", "+{task_struct.state}($arg2):uW " REPORTED },
	{ "sched:sched_switch", "prev_comm", COMM("$arg2") },
	{ "sched:sched_switch", "next_comm", COMM("$arg3") },
	{ "sched:sched_wakeup", "comm", COMM("$arg1") },
	{ "sched:sched_wakeup_new", "comm", COMM("$arg1") },
	{ "sched:sched_waking", "comm", COMM("$arg1") },
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
	{ "raw_syscalls:sys_enter", "id", "!$arg2:s64" },
	{ "raw_syscalls:sys_exit", "ret", "!$arg2:s64" },
	/* Whoever issues the request is current. */
	{ "block:block_rq_issue", "bytes", "!+{request.__data_len}($arg1):u32" },
	{ "block:block_rq_issue", "bytes", "!+{request.__data_len}($arg2):u32" },
	{ "block:block_rq_issue", "comm", "!" COMM("$current") },
};

#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

/* The way of a field with this number; if it has only one, that. NULL: there is none. */
static const char *way_of(const char *event, const char *field, unsigned int number, bool *varies)
{
	const char *found = NULL;
	unsigned int n = 0;

	for (size_t i = 0; i < N_FIELDS; i++) {
		if (strcmp(fields[i].event, event) || strcmp(fields[i].field, field))
			continue;
		if (!n || n == number)
			found = fields[i].way;
		n++;
	}
	*varies = n > 1;
	return n < 2 || number < n ? found : NULL;
}

void typed_fields_mark(struct scope *s)
{
	for (unsigned int i = 0; s->event.tracepoint && s->called.name && i < s->needs.n_inputs;
	     i++)
		s->needs.inputs[i].made = !s->needs.inputs[i].identity &&
				    !strcmp(s->called.name, fields[0].event) &&
				    !strcmp(s->needs.inputs[i].fetch, fields[0].field);
}

char *typed_fields(const struct scope *s, const char *event, unsigned int way, bool *preempted)
{
	struct strbuf text = { };
	bool all = true, serves = !way, varies;

	*preempted = false;
	for (unsigned int i = 0; all && i < s->needs.n_inputs; i++) {
		const struct lang_input *in = &s->needs.inputs[i];
		const char *fetch = in->identity ? NULL : way_of(event, in->fetch, way, &varies);

		all = in->identity || fetch;
		if (!fetch)
			continue;
		*preempted |= *fetch == '!';
		strbuf_between(&text, " ");
		strbuf_addf(&text, "%s=%s", in->name, fetch + (*fetch == '!'));
		serves |= varies;
	}
	if (all && text.n && serves)
		return strbuf_take(&text);
	free(strbuf_take(&text));
	return NULL;
}
