// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/recorder/recorder.h"
#include "compat/base/argv.h"
#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/kernel/build_id.h"
#include "compat/kernel/kallsyms.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/user/threads.h"
#include "src/commands/record/flight/flight.h"
#include "src/commands/record/record_boot.h"
#include "src/commands/record/record_command.h"
#include "src/commands/record/record_disks.h"
#include "src/commands/record/record_events.h"
#include "src/commands/record/record_names.h"
#include "src/commands/record/record_options.h"
#include "src/commands/record/record_probes.h"
#include "src/commands/record/record_tasks.h"
#include "src/commands/record/record_trace.h"
#include "src/lib/output/sink.h"
#include "src/run/child.h"
#include "src/run/stop.h"
#include "src/session/limits.h"
#include "src/session/source.h"

#define WAIT_MS 100
#define COMM 16
#define PAGES 512	/* 2 MB a CPU, as four times of what tools have: nobody waits for rows */

struct record {
	struct record_options options;
	struct kernel *kernel;
	struct record_events events;
	struct record_probes *probes;	/* NULL: there are none */
	struct strbuf section;		/* sonde's own, of recorded_probes.h */
	struct recorder *recorder;
	struct trace_recorder *trace;
	struct perf_writer *writer;
	struct limits limits;
	struct child child;
	char **words;			/* the command line, as it was written */
	struct error *err;		/* of names, while they are read */
	struct perf_head head;		/* of the file */
	struct perf_written_code code;
	int status;			/* of the command; 0: it has none */
	bool misused;			/* the command line is wrong: exit status 2 */
	void (*begun)(void *arg);	/* of record_and_tell() */
	void *arg;
};

/* ---- what is recorded ---- */

/* Takes the words of a tool, up to a comma: one that is a word, or at the end of one. */
static unsigned int tool_words(char **words, char **to)
{
	unsigned int n = 0;

	for (; words[n]; n++) {
		const size_t length = strlen(words[n]);

		if (!strcmp(words[n], ","))
			break;
		to[n] = words[n];
		if (length > 1 && words[n][length - 1] == ',') {
			words[n][length - 1] = '\0';
			n++;
			break;
		}
	}
	return n;
}

static bool is_stream(const struct record *r)
{
	return r->options.output && !strcmp(r->options.output, "-");
}

/* Without perf's tracepoints there are those of ftrace, for what these can do. */
static bool takes_ftrace(struct record *r)
{
	const struct record_options *o = &r->options;

	if (o->backend)
		return !strcmp(o->backend, "ftrace");
	return !o->frequency && !o->stacks && !o->flight.last_ns && !is_stream(r) &&
	       !kernel_has(r->kernel, FEATURE_PERF) && kernel_has(r->kernel, FEATURE_INSTANCES);
}

static int choose_rings(struct record *r, struct error *err)
{
	struct record_options *o = &r->options;

	r->events.ftrace = takes_ftrace(r);
	if (!o->output)
		o->output = r->events.ftrace ? "trace.dat" : "perf.data";
	r->misused = true;
	if (r->events.ftrace && o->flight.last_ns)
		return fail(err, "--last needs perf's rings: those of ftrace are written whole");
	if (r->events.ftrace && is_stream(r))
		return fail(err, "a trace.dat can't be a stream, as it has one CPU behind the "
				 "other: give a FILE (-o), or record from perf's rings "
				 "(--backend perf)");
	if (is_stream(r) && isatty(STDOUT_FILENO))
		return fail(err, "a recording is not for a terminal: give a FILE (-o)");
	r->misused = false;
	return 0;
}

static int add_tools(struct record *r, struct error *err)
{
	char **at = r->options.tools, *words[256];
	int result = 0;

	while (*at && !result) {
		unsigned int n = 0, of_line = 0;

		while (at[of_line])
			of_line++;
		if (of_line >= sizeof(words) / sizeof(words[0]))
			return fail(err, "the command line has too many words");
		n = tool_words(at, words);
		if (!n)
			return fail(err, "a TOOL is missing before a comma");
		words[n] = NULL;
		result = record_events_tool((int)n, words, &r->events, err);
		at += n;
		if (*at && !strcmp(*at, ","))
			at++;
	}
	return result;
}

static int choose_events(struct record *r, struct error *err)
{
	const struct record_options *o = &r->options;

	for (unsigned int i = 0; i < o->events.n; i++)
		if (record_events_named(r->kernel, o->events.list[i], &r->events, err))
			return -1;
	if (o->script && record_events_by("bt", o->script, &r->events, err))
		return -1;
	if (o->frequency && record_events_clock(o->frequency, &r->events, err))
		return -1;
	if (o->tools && add_tools(r, err))
		return -1;
	if (o->bootconfig && record_boot_events(r->kernel, &r->events, err))
		return -1;
	if (r->events.ftrace && (r->events.stacks || r->events.samples || o->stacks))
		return fail(err, "sonde reads no stacks and no samples from a trace.dat: record "
				 "them from perf's rings (--backend perf)");
	if (r->events.ftrace && record_events_lives(r->kernel, &r->events, err))
		return -1;
	if (!r->options.pages)
		r->options.pages = r->events.pages ? r->events.pages : PAGES;
	record_events_sort(&r->events);
	for (unsigned int i = 0; o->verbose && i < r->events.n; i++)
		fprintf(sink_err(), "sonde: record: %s:%s\n", r->events.list[i].system,
			r->events.list[i].name);
	return 0;
}

/* Whoever says nothing of the end gets that of the tools' own lines. */
static int choose_end(struct record *r, struct error *err)
{
	struct record_options *o = &r->options;
	const struct record_ends *ends = &r->events.ends;

	if (ends->command && o->command)
		return fail(err, "a recording has one command: %s, or %s", o->command[0],
			    ends->command[0]);
	if (!o->command)
		o->command = ends->command;
	if (!o->seconds)
		o->seconds = record_ends_seconds(ends);
	return 0;
}

/* ---- a recording ---- */

/* Returns -1 if the kernel hides it: functions in stacks have no names then. */
static int find_code(struct perf_written_code *code)
{
	return kallsyms_find("_text", &code->start) > 0 && code->start &&
	       kallsyms_find("_etext", &code->end) > 0 && code->end > code->start &&
	       !kernel_build_id(code->build_id) ? 0 : -1;
}

static bool has_stacks(const struct record *r)
{
	return r->options.stacks || r->events.stacks || r->events.samples;
}

/* Stacks, or fields with addresses of the kernel's code. */
static bool has_functions(const struct record *r)
{
	for (unsigned int i = 0; i < r->events.n; i++) {
		const struct perf_written *e = &r->events.list[i];
		const struct format *f = *e->system ? kernel_format(r->kernel, e->system, e->name) :
						      NULL;

		for (unsigned int j = 0; f && j < f->n_fields; j++)
			if (format_field_is_code(&f->fields[j]))
				return true;
	}
	return has_stacks(r);
}

static const struct strbuf *section_of(const struct record *r)
{
	return r->section.n ? &r->section : NULL;
}

static int open_all(struct record *r, struct error *err)
{
	const struct recorder_options o = {
		.pages = (unsigned int)r->options.pages,
		.stacks = r->options.stacks || r->events.stacks,
	};
	struct perf_head *head = &r->head;

	*head = (struct perf_head){
		.kernel = r->kernel, .events = r->events.list, .n_events = r->events.n,
		.possible = cpu_list_limit(kernel_text(r->kernel, CPUS_POSSIBLE)),
		.command = r->words, .probes = section_of(r),
	};
	if (has_functions(r) && !find_code(&r->code))
		head->code = &r->code;
	r->recorder = recorder_open(r->kernel, r->events.list, r->events.n, &o, err);
	if (!r->recorder)
		return -1;
	head->online = recorder_cpus(r->recorder);
	head->clock = recorder_clocked(r->recorder);
	head->apart = recorder_apart(r->recorder);
	r->writer = perf_writer_open(r->options.output, head, err);
	return r->writer ? 0 : -1;
}

static void put_name(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct record *r = arg;
	char path[32], name[COMM + 1];
	struct record_origin origin;
	int n;

	if (tid == tgid && !*r->err->text && record_task_origin(threads, tid, &origin))
		perf_writer_parent(r->writer, tid, origin.ppid,
				   record_began(&origin, r->head.clock, r->head.apart), r->err);
	snprintf(path, sizeof(path), "%u/comm", tid);
	n = *r->err->text ? -1 : file_begin(threads, path, name, sizeof(name));
	if (n <= 0)
		return;
	name[strcspn(name, "\n")] = '\0';
	perf_writer_name(r->writer, tid, tgid, name, r->err);
}

/* Later changes of names are in the rings already while the names of now are read. */
static int start(struct record *r, struct error *err)
{
	struct error why = { };

	r->err = &why;
	if (recorder_follow(r->recorder, err))
		return -1;
	if (each_task(put_name, r))
		return fail(err, "can't read the names of tasks: mount /proc");
	if (*why.text)
		return fail_with(err, why.number, "%s", why.text);
	if (has_stacks(r) && record_names_begin(r->writer, &stop_signal, err))
		return -1;
	return recorder_start(r->recorder, err);
}

static int write_records(void *arg, const struct iovec *pieces, int n, struct error *err)
{
	return perf_writer_records(arg, pieces, n, err);
}

/* A round of all rings. */
static int read_rings(struct record *r, struct error *err)
{
	const int n = recorder_read(r->recorder, write_records, r->writer, err);

	return n <= 0 ? n : perf_writer_round(r->writer, err);
}

static int loop(struct record *r, struct error *err)
{
	const uint64_t until = r->options.seconds ?
			       monotonic_ns() + r->options.seconds * NS_PER_SECOND : UINT64_MAX;

	while (!stop_signal && monotonic_ns() < until &&
	       !record_command_ended(&r->child, &r->status)) {
		recorder_wait(r->recorder, WAIT_MS);
		if (read_rings(r, err))
			return -1;
	}
	if (read_rings(r, err))
		return -1;
	recorder_stop(r->recorder);
	return read_rings(r, err);
}

/* The names of functions go behind the records. */
static int end(struct record *r, struct error *err)
{
	if (!has_functions(r))
		return 0;
	stop_signal = 0;		/* the next one ends it */
	if (!is_stream(r))
		return record_names_end(r->writer, r->options.output, &r->head, &stop_signal, err);
	fputs("sonde: record: a stream has no names of functions: its reader needs the files "
	      "(--symfs) and --kallsyms, or the same machine\n", sink_err());
	return 0;
}

static void tell(const struct record *r)
{
	const struct recorder_counts c = recorder_counts(r->recorder);
	const bool stream = is_stream(r);

	fprintf(sink_err(), "sonde: record: %" PRIu64 " events, %.1f MB%s%s\n", c.events,
		(double)perf_writer_bytes(r->writer) / 1e6, stream ? "" : " in ",
		stream ? "" : r->options.output);
	if (c.lost)
		fprintf(sink_err(), "sonde: record: %" PRIu64 " events lost (--buffer-pages: "
				    "larger rings)\n", c.lost);
}

/* In the process of the command: a stream has standard output for itself. */
static void prepare(void *arg)
{
	struct record *r = arg;

	limits_restore(&r->limits);
	if (!strcmp(r->options.output, "-"))
		dup2(STDERR_FILENO, STDOUT_FILENO);
}

static int record(struct record *r, struct error *err)
{
	char **command = r->options.command;

	record_command_watch();
	signal(SIGPIPE, SIG_IGN);
	limits_raise(&r->limits);
	if (open_all(r, err) || start(r, err))
		return -1;
	/* Code of both programs may be at the same addresses: the name tells them apart. */
	r->child.keeps_name = true;
	if (command && child_start(&r->child, command, prepare, r, err))
		return -1;
	if (r->begun)
		r->begun(r->arg);
	fprintf(sink_err(), "sonde: record: %u events on %u CPUs%s\n", r->events.n,
		recorder_cpus(r->recorder),
		command || r->options.seconds ? "" : "... Hit Ctrl-C to end.");
	if (child_release(&r->child, NULL, NULL, err) || loop(r, err))
		return -1;
	tell(r);
	return end(r, err);
}

static int record_last(struct record *r, struct error *err)
{
	const struct flight_setup setup = {
		.options = &r->options.flight, .kernel = r->kernel, .events = &r->events,
		.folder = r->options.output, .pages = (unsigned int)r->options.pages,
		.stacks = r->options.stacks || r->events.stacks, .seconds = r->options.seconds,
		.command = r->options.command, .words = r->words,
		.code = has_functions(r) && !find_code(&r->code) ? &r->code : NULL,
		.probes = section_of(r),
	};

	return flight_record(&setup, &r->status, err);
}

static int print_bootconfig(struct record *r, struct error *err)
{
	if (choose_events(r, err))
		return -1;
	if (r->events.ends.command)
		return fail(err, "--print-bootconfig runs nothing, not even %s",
			    r->events.ends.command[0]);
	return record_boot_print(sink_out(), r->kernel, &r->events, r->words,
				 r->options.pages * (uint64_t)sysconf(_SC_PAGESIZE), err);
}

static int record_pages(struct record *r, struct error *err)
{
	const struct trace_setup setup = {
		.kernel = r->kernel, .events = &r->events, .output = r->options.output,
		.pages = (unsigned int)r->options.pages, .seconds = r->options.seconds,
		.command = r->options.command, .child = &r->child,
		.probes = section_of(r),
		.verbose = r->options.verbose ? sink_err() : NULL,
		.begun = r->begun, .arg = r->arg,
	};

	r->child.keeps_name = true;
	return record_trace(&setup, &r->trace, &r->status, err);
}

static bool has_disks(const struct record *r)
{
	for (unsigned int i = 0; i < r->events.n; i++)
		if (!strcmp(r->events.list[i].system, "block") ||
		    !strcmp(r->events.list[i].system, "filemap"))
			return true;
	return false;
}

/* Only where there is something to tell: perf inject(1) crashes when it copies such a section. */
static int make_section(struct record *r, struct error *err)
{
	record_probes_section(r->probes, &r->section);
	if (has_disks(r)) {
		if (!r->section.n)
			strbuf_addf(&r->section, PROBES_HEAD);
		record_disks(&r->section);
	}
	return r->section.cut ? fail(err, "out of memory") : 0;
}

/* A copy: commas are taken off the words of tools. */
static char **words_of(int argc, char **argv)
{
	char **words = calloc((size_t)argc + 2, sizeof(*words)), **copy = NULL;

	if (words) {
		words[0] = "sonde";
		memcpy(words + 1, argv, (size_t)argc * sizeof(*words));
		copy = argv_copy(words);
	}
	free(words);
	return copy;
}

static int run(struct record *r, int argc, char **argv, struct error *err)
{
	r->words = words_of(argc, argv);
	if (!r->words)
		return fail(err, "out of memory");
	if (record_options_read(&r->options, argc, argv, err)) {
		r->misused = true;
		return -1;
	}
	if (r->options.help) {
		record_help(sink_out());
		return 0;
	}
	r->events.tracepoints = r->options.bootconfig;
	r->kernel = source_running_kernel();
	if (!r->kernel)
		return fail(err, "out of memory");
	kernel_set_stop(r->kernel, &stop_signal);
	stop_on_signals();
	if (r->options.bootconfig)
		return print_bootconfig(r, err);
	if (choose_rings(r, err) || choose_events(r, err) || choose_end(r, err) ||
	    record_probes_make(r->kernel, &r->events, &r->probes,
			       r->options.verbose ? sink_err() : NULL, err))
		return -1;
	if (make_section(r, err))
		return -1;
	if (r->events.ftrace)
		return record_pages(r, err);
	return r->options.flight.last_ns ? record_last(r, err) : record(r, err);
}

int record_and_tell(int argc, char **argv, void (*begun)(void *arg), void *arg)
{
	struct record *r = calloc(1, sizeof(*r));
	struct error err = { };
	int status;

	if (!r)
		return 1;
	r->begun = begun;
	r->arg = arg;
	status = run(r, argc, argv, &err) ? 1 : r->status;
	if (r->writer && perf_writer_close(r->writer, status && *err.text ? NULL : &err))
		status = 1;
	if (*err.text) {
		sink_complain("sonde: record: ", &err);
		if (r->misused)
			fputs("`sonde help record` lists its options\n", sink_err());
		status = r->misused ? 2 : 1;
	}
	child_abandon(&r->child);
	record_probes_end(r->kernel, r->probes, r->recorder, r->trace);
	record_events_free(&r->events);
	free(r->section.s);
	record_options_free(&r->options);
	argv_free(r->words);
	kernel_free(r->kernel);
	free(r);
	return status;
}

int record_main(int argc, char **argv)
{
	return record_and_tell(argc, argv, NULL, NULL);
}
