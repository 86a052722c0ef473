// SPDX-License-Identifier: GPL-2.0
/* Counts for programs: JSON and CSV as all of sonde's, and perf stat's lines with a separator. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/commands/stat/report.h"
#include "src/lib/output/sink.h"

struct row {
	int64_t since, cpu, enabled, running;
	struct text event, count, unit, status, share_unit;
	double running_pct, share, noise;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, 0, AT(since), 9, .option = "interval" },
	{ "CPU", "cpu", COLUMN_INTEGER, 0, AT(cpu), .option = "cpu" },
	{ "EVENT", "event", COLUMN_TEXT, 0, AT(event), .role = IS_IDENTITY },
	{ "COUNT", "count", COLUMN_TEXT, 0, AT(count), .unit = IN_ANY },
	{ "UNIT", "unit", COLUMN_TEXT, 0, AT(unit) },
	{ "STATUS", "status", COLUMN_TEXT, 0, AT(status) },
	{ "ENABLED(ns)", "enabled_ns", COLUMN_INTEGER, 0, AT(enabled) },
	{ "RUNNING(ns)", "running_ns", COLUMN_INTEGER, 0, AT(running) },
	{ "RUNNING(%)", "running_pct", COLUMN_REAL, 0, AT(running_pct), 2 },
	{ "SHARE", "share", COLUMN_REAL, 0, AT(share), 3, .unit = IN_ANY },
	{ "SHARE_UNIT", "share_unit", COLUMN_TEXT, 0, AT(share_unit) },
	{ "NOISE(%)", "noise_pct", COLUMN_REAL, 0, AT(noise), 2, .option = "runs" },
	{ }
};

static bool shown(void *arg, const char *option)
{
	const struct stat_report *r = arg;

	if (!strcmp(option, "interval"))
		return r->intervals;
	return strcmp(option, "cpu") ? r->repeated : r->options->per_cpu;
}

int rows_begin(struct stat_report *r, struct error *err)
{
	const struct output_source source = { .columns = columns, .shown = shown, .arg = r };
	FILE *file = r->file == sink_out() ? sink_rows() : r->file;

	r->file = file;
	r->rows = output_new(file, r->options->format, &source);
	return r->rows ? 0 : fail(err, "out of memory");
}

static struct text text_of(const char *s)
{
	return (struct text){ .s = s, .length = s ? (uint32_t)strlen(s) : 0 };
}

void rows_line(struct stat_report *r, const struct stat_line *l)
{
	static const char *const states[] = { "counted", "not counted", "not supported" };
	const struct stat_count *c = &l->counts[l->i];
	struct stat_share share = stat_share_of(l->counts, l->n, l->i, l->elapsed_ns);
	bool counted = c->state == STAT_COUNTED;
	char count[COUNT_TEXT], unit[64];
	struct row row = {
		.since = l->since_ns, .cpu = l->cpu, .enabled = (int64_t)c->enabled,
		.running = (int64_t)c->running, .event = text_of(c->event->name),
		.status = text_of(states[c->state]), .running_pct = count_running(c),
		.share = share.kind ? share.value : NAN, .noise = counted ? c->noise : NAN,
	};

	if (counted) {
		count_text(c, false, r->repeated, count);
		row.count = text_of(count);
		/* Above 2^53 a reader that knows only doubles would change it. */
		row.count.is_number = c->value <= 9007199254740992.0;
	}
	row.unit = text_of(*count_unit(c) ? count_unit(c) : NULL);
	if (share.kind) {
		text_cut(unit, sizeof(unit), "%s%s", share.kind == SHARE_PERCENT ? "% " : "",
			 share.unit);
		row.share_unit = text_of(unit);
	}
	output_row(r->rows, &row);
}

#define ENDING 8
/* The members of the last object, and the texts of their numbers. */
struct ending {
	struct output_member members[ENDING];
	unsigned int n;
	char texts[ENDING][64];
};

static void add_number(struct ending *e, const char *name, int digits, double v)
{
	char *s = e->texts[e->n];

	snprintf(s, sizeof(e->texts[0]), "%.*f", digits, v);
	e->members[e->n] = (struct output_member){ name, text_of(s) };
	e->members[e->n++].value.is_number = true;
}

void rows_end(struct stat_report *r, const struct stat_ending *end)
{
	struct ending e = { { { "tool", text_of("stat") } }, 1 };

	add_number(&e, "elapsed_s", 9, end->elapsed_s.mean);
	if (r->repeated) {
		add_number(&e, "runs", 0, end->elapsed_s.n);
		add_number(&e, "elapsed_noise_pct", 2, mean_noise(&end->elapsed_s));
	}
	if (end->counted) {
		add_number(&e, "user_s", 6, end->user_s);
		add_number(&e, "system_s", 6, end->system_s);
	}
	if (end->command)
		add_number(&e, "status", 0, end->status);
	output_members(r->rows, "end", e.members, e.n);
}

/* [time SEP] [CPU SEP] count SEP unit SEP event SEP ns SEP per cent SEP share SEP its unit */
void separated_line(struct stat_report *r, const struct stat_line *l)
{
	const struct stat_count *c = &l->counts[l->i];
	struct stat_share share = stat_share_of(l->counts, l->n, l->i, l->elapsed_ns);
	const char *sep = r->options->separator;
	char count[COUNT_TEXT];

	if (r->intervals)
		fprintf(r->file, "%6lld.%09lld%s", (long long)(l->since_ns / 1000000000),
			(long long)(l->since_ns % 1000000000), sep);
	if (l->cpu >= 0)
		fprintf(r->file, "CPU%d%s", l->cpu, sep);
	count_text(c, false, r->repeated, count);
	fprintf(r->file, "%s%s%s%s%s%s", count, sep, count_unit(c), sep, c->event->name, sep);
	if (r->repeated)
		fprintf(r->file, "%.2f%%%s", c->state == STAT_COUNTED ? c->noise : 0, sep);
	fprintf(r->file, "%llu%s%.2f%s", (unsigned long long)c->running, sep, count_running(c),
		sep);
	if (share.kind)
		fprintf(r->file, "%.*f%s%s%s", share.kind == SHARE_PERCENT ? 2 : 3, share.value,
			sep, share.kind == SHARE_PERCENT ? "%" : "", share.unit);
	else
		fputs(sep, r->file);
	fputc('\n', r->file);
}
