// SPDX-License-Identifier: GPL-2.0
/* What users are told about a run beside its rows. */
#include "src/session/notices.h"

#include <stdlib.h>
#include <string.h>

#include "compat/binaries/binaries.h"
#include "compat/kernel/doubt.h"
#include "compat/kinds/kinds.h"
#include "compat/resolve/identity.h"
#include "compat/types/offsets.h"
#include "src/lib/output/sink.h"
#include "src/run/options/common.h"
#include "src/session/wording.h"

/* Prints a text of several lines, with a prefix before each line. */
static void print_lines(FILE *file, const char *prefix, const char *lines)
{
	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		fprintf(file, "%s%.*s\n", prefix, (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

void notices_lines(FILE *file, const char *prefix, struct lines lines)
{
	for (unsigned int i = 0; i < lines.n; i++)
		fprintf(file, "%s%s\n", prefix, lines.list[i]);
	lines_free(&lines);
}

void notices_unknown(const struct run *r, FILE *file, const char *prefix)
{
	char *lines = offsets_unknown(r->kernel);

	print_lines(file, prefix, lines);
	free(lines);
	print_lines(file, prefix, kernel_binaries_left_out(r->kernel));
}

/* Notes which hooks may not see all events, and why. */
static void say_doubts(const struct run *r)
{
	struct lines doubts = doubt_lines(&r->plan.resolution);

	for (unsigned int i = 0; i < doubts.n; i++)
		run_note(r, "%s", doubts.list[i]);
	lines_free(&doubts);
}

/* What could not be read is taken as missing: another event, or fewer columns, may serve for it. */
static void say_unread(const struct run *r)
{
	struct error doubt;

	if (kernel_doubted(r->kernel, &doubt))
		run_note(r, "sonde could not find out all that is here, and does without: %s",
			 doubt.text);
}

/*
 * Kernels before 4.12 wait for few returns of a function at a time, and miss the others. If a map
 * has the calls, the calls without a return are counted at the end. If only returns are probed,
 * nothing can be counted.
 */
static void say_uncounted_returns(const struct run *r)
{
	const struct plan *p = &r->plan.plan;

	if (!plan_waits_for_returns(p) || kernel_has(r->kernel, FEATURE_KRETPROBE_ROOM))
		return;
	for (unsigned int i = 0; i < p->n_maps; i++)
		if (p->maps[i].calls)
			return;
	run_note(r, "some returns of functions may be missing: this kernel remembers few calls of "
		    "one function at a time, and does not count the returns that it misses");
}

void notices_limits(const struct run *r)
{
	const struct lines *limits = kernel_binaries_limits(r->kernel);

	for (unsigned int i = 0; limits && i < limits->n; i++)
		run_note(r, "not probed: %s", limits->list[i]);
	if (limits && limits->more)
		run_note(r, "not probed: and %u more", limits->more);
}

/*
 * Texts in pieces are right only on kernels where an unreadable number is 0. With --without
 * fetch-array other kernels have such texts, too.
 */
static bool unproven_pieces(const struct run *r)
{
	const struct plan *plan = &r->plan.plan;

	for (unsigned int i = 0; i < plan->n_attachments; i++)
		for (unsigned int j = 0; j < plan->attachments[i].event->layout->n_inputs; j++)
			if (plan->attachments[i].event->layout->inputs[j].place == PLACE_PIECES)
				return !kernel_has(r->kernel, FEATURE_FETCH_ZERO);
	return false;
}

/* Returns true if events bring stacks of the kernel that this kernel can't walk as a whole. */
static bool stacks_are_cut(const struct run *r)
{
	const struct plan *plan = &r->plan.plan;

	for (unsigned int i = 0; r->live && i < plan->n_attachments; i++)
		if (layout_wants(plan->attachments[i].event->layout, IDENTITY_KERNEL_STACK))
			return !kernel_has(r->kernel, FEATURE_KERNEL_STACKS);
	return false;
}

static void say_cut_stacks(const struct run *r)
{
	const struct feature_reason why = kernel_feature_reason(r->kernel, FEATURE_KERNEL_STACKS);
	char words[FEATURE_REASON];

	feature_reason_words(&why, words, sizeof(words));
	run_note(r, "callers are missing in stacks of the kernel, which can't walk them%s%s",
		 *words ? ": " : "", words);
}

void notices_chosen(const struct run *r)
{
	if (common_of(r->options)->verbose) {
		fprintf(sink_err(), "sonde: engine %s\n", r->backend->name);
		notices_lines(sink_err(), "sonde: ", chosen_lines(&r->plan.resolution));
		notices_lines(sink_err(), "sonde: unavailable here: ",
			      missing_lines(&r->plan.resolution));
		notices_unknown(r, sink_err(), "sonde: ");
		notices_lines(sink_err(), "sonde: others pay: ",
			      cost_lines(&r->plan.resolution));
		if (r->plan.smaller)
			fprintf(sink_err(), "sonde: its tables are smaller than usual: this "
					    "machine has little memory\n");
	}
	notices_limits(r);
	say_unread(r);
	say_doubts(r);
	say_uncounted_returns(r);
	if (r->plan.whose == IDENTITY_TID)
		run_note(r, "`-`: groups are known of tasks that live all through an interval");
	if (stacks_are_cut(r))
		say_cut_stacks(r);
	if (r->plan.resolution.no_compat)
		run_note(r, "calls of 32-bit programs are missing: %s",
			 kernel_has(r->kernel, FEATURE_KPROBES) ?
			 "the probes used here see only calls of 64-bit programs" :
			 "without kprobes this kernel shows only calls of 64-bit programs");
	if (unproven_pieces(r))
		run_note(r, "--without fetch-array: a string may be wrong, because since 4.20 a "
			    "probe that can't read memory leaves the bytes of an earlier event");
}

/* Missed events that some probes count are shown, even if other probes do not count theirs. */
static bool tells_missed(const struct engine_stats *s)
{
	return s->missed_known || s->missed;
}

/* Returns true if the plan needs neither samples nor copies of stacks: ftrace has none. */
static bool ftrace_may_serve(const struct run *r)
{
	const struct plan *plan = &r->plan.plan;

	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (event_traits(plan->attachments[i].event->kind)->timed)
			return false;
	return !plan->unwound;
}

static unsigned long long whole_ms(uint64_t ns)
{
	return (ns + 999999) / 1000000;
}

/* The engine counts the texts that it could not read. Some of them another record has. */
static struct engine_stats without_found(const struct run *r, const struct engine_stats *s)
{
	struct engine_stats left = *s;

	left.strings -= r->read_again < left.strings ? r->read_again : left.strings;
	return left;
}

void notices_losses(const struct run *r, const struct engine_stats *s)
{
	const bool shared = run_filtered(r) && r->backend->target != TARGET_BPF;
	const struct engine_stats left = without_found(r, s);
	struct lines losses = loss_lines(&left, r->untimed, r->live, ftrace_may_serve(r), shared);

	for (unsigned int i = 0; i < losses.n; i++)
		fprintf(sink_err(), "sonde: %s: %s\n", r->tool->name, losses.list[i]);
	lines_free(&losses);
	if (s->unseen)
		fprintf(sink_err(),
			"sonde: %s: the main thread of the process ended: since then events of "
			"its other threads in user space are missing (--backend perf sees them)\n",
			r->tool->name);
	if (s->removed)
		fprintf(sink_err(),
			"sonde: %s: another tracer of the same tracepoint ended, and this kernel "
			"(before 4.14) removed sonde's BPF program as well: the events of %llu ms "
			"are missing\n",
			r->tool->name, whole_ms(s->removed));
	if (s->uncovered)
		fprintf(sink_err(),
			"sonde: %s: a CPU that came online was not traced for %llu ms\n",
			r->tool->name, whole_ms(s->uncovered));
	if (common_of(r->options)->verbose) {
		fprintf(sink_err(), "sonde: seen %llu, lost %llu", (unsigned long long)s->seen,
			(unsigned long long)s->lost);
		fprintf(sink_err(), tells_missed(s) ? ", missed %llu\n" :
			", missed: not counted by this kernel\n", (unsigned long long)s->missed);
	}
}

void notices_recording(const struct run *r, struct recording *recording)
{
	const struct lines *notes = recording ? recording_notes(recording) : NULL;

	for (unsigned int i = 0; notes && i < notes->n; i++)
		fprintf(sink_err(), "sonde: %s: %s\n", r->tool->name, notes->list[i]);
	if (recording && !recording_wall(recording)->n && r->time.shown)
		fprintf(sink_err(), "sonde: %s: the recording does not tell the time of day "
			"(`%s` does): times of day count from the start of its machine\n",
			r->tool->name, kernel_recorder(r->kernel)->date);
}

struct lines notices_missing(const struct run *r)
{
	const struct lines *limits = kernel_binaries_limits(r->kernel);
	struct lines missing = missing_lines(&r->plan.resolution);

	if (stacks_are_cut(r))
		lines_add(&missing, "callers in stacks of the kernel");
	if (r->plan.resolution.no_compat)
		lines_add(&missing, "calls of 32-bit programs");
	for (unsigned int i = 0; limits && i < limits->n; i++)
		lines_add(&missing, "%s", limits->list[i]);
	if (limits && limits->more)
		lines_add(&missing, "and %u more", limits->more);
	return missing;
}

void notices_end(struct run *r, const struct engine_stats *s)
{
	struct lines hooks = chosen_lines(&r->plan.resolution), missing = notices_missing(r);
	static const char *const none[] = { NULL };
	struct output_end end = {
		.tool = r->tool->name, .engine = r->backend->name,
		.hooks = hooks.n ? (const char *const *)hooks.list : none,
		.missing = missing.n ? (const char *const *)missing.list : none,
		.seen = s->seen, .lost = s->lost, .late = s->late,
		.unpaired = s->unpaired, .full = s->full, .missed = s->missed,
		.missed_known = tells_missed(s), .unreturned = s->unreturned,
		.strings = without_found(r, s).strings,
		.untraced_ms = whole_ms(s->uncovered) + whole_ms(s->removed), .untimed = r->untimed,
	};

	if ((r->live || r->recording) && r->time.stopped > r->time.started)
		end.ran_ms = whole_ms(r->time.stopped - r->time.started);
	run_listeners_losses(r, &end);
	output_end(r->output, &end);
	lines_free(&hooks);
	lines_free(&missing);
}
