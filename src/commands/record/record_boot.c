// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_boot.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/lib/output/sink.h"

/*
 * Limits of a kernel's configuration: XBC_NODE_MAX is 1024 before 5.14, and each event is a node
 * beside some 20 others; XBC_DATA_MAX.
 */
#define EVENTS_MOST 1000
#define BYTES_MOST 32767
/* COMMAND_LINE_SIZE is 1024 on arm, 2048 on most machines; a boot needs some of it itself. */
#define LINE_MOST 900
#define LINE 96

const char *const record_chart_events[] = {
	"sched:sched_process_fork", "sched:sched_process_exec", "sched:sched_process_exit",
	"sched:sched_switch", "block:block_rq_issue", "block:block_rq_complete", NULL,
};

static int add_chart(struct kernel *k, struct record_events *events, struct error *err)
{
	for (const char *const *name = record_chart_events; *name; name++)
		if (kernel_format_named(k, *name) && record_events_named(k, *name, events, err))
			return -1;
	return 0;
}

int record_boot_events(struct kernel *k, struct record_events *events, struct error *err)
{
	if (!events->n && add_chart(k, events, err))
		return -1;
	return record_events_lives(k, events, err);
}

/* The words of the user, as they are part of a comment. */
static void add_words(struct strbuf *to, char *const *words)
{
	for (; *words; words++) {
		const bool quoted = !**words || strpbrk(*words, " '\"\\*?$&|;<>()#~`!{}[]\t\n");

		strbuf_addf(to, "%s%s", to->s[to->n - 1] == ' ' ? "" : " ", quoted ? "'" : "");
		for (const char *at = *words; *at; at++)
			strbuf_addf(to, "%c", *at < ' ' ? '?' : *at);
		strbuf_addf(to, "%s", quoted ? "'" : "");
	}
	strbuf_addf(to, "\n");
}

/* The same on the kernel's command line, where every kernel takes it. */
static void add_parameters(struct strbuf *to, const struct record_events *events,
			   const char *clock, uint64_t kb)
{
	const size_t begin = to->n;

	strbuf_addf(to, "# trace_buf_size=%lluK trace_options=nooverwrite trace_clock=%s "
		    "trace_event=", (unsigned long long)kb, clock);
	for (unsigned int i = 0; i < events->n; i++)
		strbuf_addf(to, "%s%s:%s", i ? "," : "", events->list[i].system,
			    events->list[i].name);
	strbuf_addf(to, "\n");
	if (to->n - begin > LINE_MOST)
		strbuf_addf(to, "# (%zu bytes: a command line has 2048 in all, on arm 1024.)\n",
			    to->n - begin - strlen("# \n"));
}

static void add_instance(struct strbuf *to, const struct record_events *events, const char *clock,
			 uint64_t kb)
{
	size_t line;

	strbuf_addf(to, "ftrace.instance." RECORD_BOOT_INSTANCE " {\n\tbuffer_size = %lluKB\n"
		    "\toptions = nooverwrite\n\ttrace_clock = %s\n\tevents = ",
		    (unsigned long long)kb, clock);
	line = to->n;
	for (unsigned int i = 0; i < events->n; i++) {
		const struct perf_written *e = &events->list[i];
		const size_t length = strlen(e->system) + strlen(e->name) + 5;

		if (i)
			strbuf_addf(to, ",");
		if (i && to->n - line + length > LINE - 32) {
			strbuf_addf(to, "\n\t\t");
			line = to->n;
		} else if (i) {
			strbuf_addf(to, " ");
		}
		strbuf_addf(to, "\"%s:%s\"", e->system, e->name);
	}
	strbuf_addf(to, "\n}\n");
}

static int check(const struct record_events *events, struct error *err)
{
	if (events->samples)
		return fail(err, "samples are perf's, which takes none before the first program: "
			    "`init=/sonde-init` (sonde-boot(7)) records them from there on");
	if (events->stacks)
		return fail(err, "stacks can't be read from the rings of a boot: "
			    "`init=/sonde-init` (sonde-boot(7)) records them from the first "
			    "program on");
	if (events->n > EVENTS_MOST)
		return fail(err, "%u events are too many for a kernel's configuration, which has "
			    "%d: name fewer", events->n, EVENTS_MOST);
	return events->n ? 0 : fail(err, "this kernel has none of the events");
}

int record_boot_print(FILE *file, struct kernel *k, const struct record_events *events,
		      char *const *words, uint64_t bytes, struct error *err)
{
	const char *clock = kernel_has(k, FEATURE_CLOCK_MONO) ? "mono" : "global";
	const char *config = kernel_text(k, "config");
	const uint64_t kb = (bytes + 1023) / 1024;
	struct strbuf text = { };
	int result = check(events, err);

	if (result)
		return -1;
	strbuf_addf(&text, "# ");
	add_words(&text, words);
	strbuf_addf(&text,
		    "# The events of this file are recorded from the kernel's start on. A full\n"
		    "# ring keeps its oldest events.\n#\n"
		    "# Linux 5.6 or later, with CONFIG_BOOT_CONFIG and CONFIG_BOOTTIME_TRACING:\n"
		    "# `bootconfig -a THIS-FILE INITRD`, and `bootconfig` on the command line.\n"
		    "# Later: sonde TOOL --input tracefs:" RECORD_BOOT_INSTANCE "\n#\n"
		    "# Other kernels: the next line on the kernel's command line.\n"
		    "# Later: sonde TOOL --input tracefs\n");
	add_parameters(&text, events, clock, kb);
	add_instance(&text, events, clock, kb);
	if (text.cut)
		result = fail(err, "out of memory");
	else if (text.n > BYTES_MOST)
		result = fail(err, "the configuration has %zu bytes, and a kernel takes %d: name "
			      "fewer events", text.n, BYTES_MOST);
	else
		fwrite(text.s, text.n, 1, file);
	free(text.s);
	if (!result && config && !strstr(config, "\nCONFIG_BOOTTIME_TRACING=y"))
		fputs("sonde: record: this kernel was built without CONFIG_BOOTTIME_TRACING: it "
		      "takes only the command line that is in the comment\n", sink_err());
	return result;
}
