// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/flight/flight_options.h"

#include <string.h>

#include "compat/base/clock.h"
#include "compat/base/scan.h"

#define WHEN_MOST 8

struct unit {
	const char *name;
	uint64_t factor;
};

/* Reads a number with one of these units behind it; the first one may be left out. */
static int measure(const char *text, const char *option, const struct unit *units, uint64_t *to,
		   const char *form, struct error *err)
{
	const char *at = text;
	uint64_t number;

	if (scan_decimal(&at, 3, UINT32_MAX, &number))
		for (const struct unit *unit = units; unit->name; unit++)
			if (!strcmp(at, unit->name) || (unit == units && !*at)) {
				*to = number * unit->factor / 1000;
				if (*to)
					return 0;
			}
	return fail(err, "--%s takes %s, not \"%s\"", option, form, text);
}

static int span(const char *text, const char *option, uint64_t *to, struct error *err)
{
	static const struct unit units[] = {
		{ "s", NS_PER_SECOND }, { "ms", NS_PER_MS }, { "m", 60ULL * NS_PER_SECOND },
		{ "h", 3600ULL * NS_PER_SECOND }, { },
	};

	return measure(text, option, units, to, "a time, as 30s, 500ms or 5m", err);
}

static int size(const char *text, uint64_t *to, struct error *err)
{
	static const struct unit units[] = {
		{ "M", 1ULL << 20 }, { "K", 1ULL << 10 }, { "G", 1ULL << 30 }, { },
	};

	return measure(text, "max-size", units, to, "a size, as 500M or 2G", err);
}

static int add_trigger(struct flight_options *o, const char *line, struct error *err)
{
	const unsigned int before = o->when.n;

	if (before == WHEN_MOST)
		return fail(err, "--when can be given %d times at most", WHEN_MOST);
	lines_add(&o->when, "%s", line);
	return o->when.n > before ? 0 : fail(err, "--when %s is given twice", line);
}

static int files(const char *text, uint64_t *to, struct error *err)
{
	const char *at = text;

	return scan_number(&at, 99999, to) && *to && !*at ? 0 :
	       fail(err, "--files takes a number from 1 to 99999, not \"%s\"", text);
}

int flight_option(struct flight_options *o, int letter, const char *value, struct error *err)
{
	switch (letter) {
	case FLIGHT_LAST:
		return span(value, "last", &o->last_ns, err);
	case FLIGHT_WHEN:
		return add_trigger(o, value, err);
	case FLIGHT_SIGNAL:
		o->by_signal = true;
		return 0;
	case FLIGHT_EVERY:
		o->given_every = true;
		return span(value, "every", &o->every_ns, err);
	case FLIGHT_FILES:
		return files(value, &o->files, err);
	default:
		return size(value, &o->bytes, err);
	}
}

int flight_options_end(struct flight_options *o, struct error *err)
{
	if (!o->last_ns && (o->when.n || o->by_signal || o->given_every || o->files || o->bytes))
		return fail(err, "--when, --signal, --every, --files and --max-size need --last");
	if (!o->last_ns)
		return 0;
	if (!o->given_every)
		o->every_ns = o->last_ns;
	o->by_signal |= !o->when.n;
	return 0;
}

void flight_options_free(struct flight_options *o)
{
	lines_free(&o->when);
}
