// SPDX-License-Identifier: GPL-2.0
#include "src/commands/stat/report.h"

#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 25			/* of events, and of units, at least */
#define UNIT_WIDTH 4
#define DIGITS_MOST 1e30		/* so that they fit with commas; above 1.50e+30 is shown */

void mean_add(struct stat_mean *m, double value)
{
	double off = value - m->mean;

	m->n++;
	m->mean += off / m->n;
	m->squares += off * (value - m->mean);
}

/* Newton's way, without libm, which would be linked for this alone. */
static double root(double x)
{
	double guess = x > 1 ? x : 1;

	if (!(x > 0))
		return 0;
	for (int i = 0; i < 1100; i++) {
		double next = (guess + x / guess) / 2;

		if (!(next < guess))
			break;
		guess = next;
	}
	return guess;
}

double mean_error(const struct stat_mean *m)
{
	return m->n > 1 ? root(m->squares / (m->n - 1) / m->n) : 0;
}

double mean_noise(const struct stat_mean *m)
{
	return m->mean > 0 ? 100 * mean_error(m) / m->mean : 0;
}

void repeats_add(struct stat_repeats *all, struct stat_count *c)
{
	if (c->state == STAT_COUNTED)
		mean_add(&all->value, c->value);
	all->enabled += c->enabled;
	all->running += c->running;
	all->n++;
	c->enabled = all->enabled / all->n;
	c->running = all->running / all->n;
	c->scaled = c->running < c->enabled;
	if (!all->value.n)
		return;
	c->state = STAT_COUNTED;
	c->value = all->value.mean;
	c->noise = mean_noise(&all->value);
}

const char *count_unit(const struct stat_count *c)
{
	return c->event->clock ? "msec" : c->event->unit;
}

double count_running(const struct stat_count *c)
{
	return c->enabled ? 100 * (double)c->running / (double)c->enabled : 0;
}

static void add_commas(char text[COUNT_TEXT])
{
	size_t digits = strcspn(text, "."), length = strlen(text);

	for (size_t at = digits; at > 3; length++) {
		at -= 3;
		memmove(text + at + 1, text + at, length - at + 1);
		text[at] = ',';
	}
}

void count_text(const struct stat_count *c, bool people, bool repeated, char to[COUNT_TEXT])
{
	double scale = c->event->clock ? 1e-6 : c->event->scale, value = c->value * scale;
	int digits = people ? 2 : 6;

	if (c->state != STAT_COUNTED) {
		snprintf(to, COUNT_TEXT, c->state == STAT_NOT_COUNTED ? "<not counted>" :
			 "<not supported>");
		return;
	}
	if (scale > 0)
		snprintf(to, COUNT_TEXT, value < DIGITS_MOST ? "%.*f" : "%.*e", digits, value);
	else if (repeated)
		snprintf(to, COUNT_TEXT, "%.*f", people ? 0 : 3, c->value);
	else
		snprintf(to, COUNT_TEXT, "%llu", c->scaled ? (unsigned long long)c->value :
			 (unsigned long long)c->exact);
	if (people)
		add_commas(to);
}

int report_begin(struct stat_report *r, const struct stat_options *o,
		 const struct stat_events *events, FILE *file, struct error *err)
{
	*r = (struct stat_report){
		.options = o, .file = file, .intervals = o->interval_ms, .repeated = o->runs > 1,
		.name_width = NAME_WIDTH, .unit_width = UNIT_WIDTH,
	};
	for (unsigned int i = 0; i < events->n; i++) {
		int name = (int)strlen(events->list[i].name);
		int unit = (int)strlen(events->list[i].unit);

		r->name_width = name > r->name_width ? name : r->name_width;
		r->unit_width = unit > r->unit_width ? unit : r->unit_width;
	}
	return o->format ? rows_begin(r, err) : 0;
}

void report_free(struct stat_report *r)
{
	output_free(r->rows);
	r->rows = NULL;
}

void report_title(struct stat_report *r, const char *what)
{
	if (r->rows)
		output_header(r->rows);
	else if (!r->options->separator)
		text_title(r, what);
}

void report_line(struct stat_report *r, const struct stat_line *l)
{
	if (r->rows)
		rows_line(r, l);
	else if (r->options->separator)
		separated_line(r, l);
	else
		text_line(r, l);
}

void report_end(struct stat_report *r, const struct stat_ending *end)
{
	if (r->rows)
		rows_end(r, end);
	else if (!r->options->separator && !r->intervals)
		text_end(r, end);
}

int report_flush(struct stat_report *r)
{
	if (r->rows && output_flush(r->rows))
		return -1;
	return fflush(r->file) ? -1 : 0;
}
