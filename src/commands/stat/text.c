// SPDX-License-Identifier: GPL-2.0
/* Counts for people, in perf stat's columns. */
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/commands/stat/report.h"

#define HEADING_LINES 25		/* intervals have a heading again after so many */
#define SHARE_WIDTH 37			/* what is behind it lines up */

static void heading(struct stat_report *r)
{
	fprintf(r->file, "#           time %s            counts %-*s events\n",
		r->options->per_cpu ? "CPU    " : "", r->unit_width, "unit");
}

void text_title(struct stat_report *r, const char *what)
{
	if (r->intervals)
		return;
	fprintf(r->file, "\n Performance counter stats for '%s'", what);
	if (r->repeated)
		fprintf(r->file, " (%llu runs)", (unsigned long long)r->options->runs);
	fputs(":\n\n", r->file);
}

static void put_share(struct strbuf *to, const struct stat_line *l)
{
	struct stat_share s = stat_share_of(l->counts, l->n, l->i, l->elapsed_ns);

	switch (s.kind) {
	case SHARE_NONE:
		break;
	case SHARE_PERCENT:
		strbuf_addf(to, "# %7.2f%% %s", s.value, s.unit);
		break;
	case SHARE_RATIO:
	case SHARE_RATE:
		strbuf_addf(to, "# %8.3f %s", s.value, s.unit);
	}
}

/* What is behind the event's name: its share, how far the mean is off, how long it ran. */
static void put_rest(char *to, size_t size, const struct stat_report *r,
		     const struct stat_line *l)
{
	const struct stat_count *c = &l->counts[l->i];
	struct strbuf rest = strbuf_over(to, size);
	char noise[32] = "", running[32] = "";

	put_share(&rest, l);
	if (r->repeated && c->state == STAT_COUNTED)
		snprintf(noise, sizeof(noise), "  ( +- %5.2f%% )", c->noise);
	if (c->state == STAT_COUNTED && c->scaled)
		snprintf(running, sizeof(running), "  (%.2f%%)", count_running(c));
	if (*noise || *running)
		strbuf_addf(&rest, "%*s%s%s", rest.n < SHARE_WIDTH ? SHARE_WIDTH - (int)rest.n :
			    0, "", noise, running);
}

static void trim(char *line)
{
	size_t n = strlen(line);

	while (n && line[n - 1] == ' ')
		line[--n] = '\0';
}

void text_line(struct stat_report *r, const struct stat_line *l)
{
	const struct stat_count *c = &l->counts[l->i];
	char count[COUNT_TEXT], rest[256], when[48] = "", where[24] = "", line[1024];

	if (r->intervals) {
		/* Never between the events of an interval. */
		if (l->first && (!r->lines || r->lines >= HEADING_LINES)) {
			heading(r);
			r->lines = 0;
		}
		r->lines++;
		snprintf(when, sizeof(when), "%6lld.%09lld ",
			 (long long)(l->since_ns / 1000000000),
			 (long long)(l->since_ns % 1000000000));
	}
	if (l->cpu >= 0)
		snprintf(where, sizeof(where), "CPU%-4d", l->cpu);
	count_text(c, true, r->repeated, count);
	put_rest(rest, sizeof(rest), r, l);
	text_cut(line, sizeof(line), "%s%s%18s %-*s %-*s %s", when, where, count, r->unit_width,
		 c->state == STAT_NOT_SUPPORTED ? "" : count_unit(c), r->name_width,
		 c->event->name, rest);
	trim(line);
	fprintf(r->file, "%s\n", line);
}

void text_end(struct stat_report *r, const struct stat_ending *end)
{
	if (r->repeated)
		fprintf(r->file, "\n%18.5f +- %.5f seconds time elapsed  ( +- %5.2f%% )\n\n",
			end->elapsed_s.mean, mean_error(&end->elapsed_s),
			mean_noise(&end->elapsed_s));
	else
		fprintf(r->file, "\n%18.9f seconds time elapsed\n\n", end->elapsed_s.mean);
	if (end->counted && !r->repeated)
		fprintf(r->file, "%18.9f seconds user\n%18.9f seconds sys\n\n", end->user_s,
			end->system_s);
}
