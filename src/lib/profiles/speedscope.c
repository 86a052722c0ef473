// SPDX-License-Identifier: GPL-2.0
/*
 * The format of speedscope.app (its file-format-schema.json): functions by number, and for each
 * kind of value a profile with stacks, the oldest function first. It knows no processes: their
 * names are the oldest functions, as in folded stacks.
 */
#include <stdlib.h>
#include <string.h>

#include "compat/base/jsonw.h"
#include "src/lib/profiles/profile.h"

struct speedscope {
	const struct profile *p;
	struct jsonw w;
	const char **strings;		/* by number; they end with their length, not with a NUL */
	size_t *lengths;
	uint32_t n_strings;
	uint32_t *comms;		/* by string: the frame of the process; 0: none yet */
	uint32_t n_frames;
	unsigned int value;		/* the number of the profile's kind of value */
	uint64_t sum;
};

static const char *unit_of(const char *unit)
{
	const char *name = profile_unit(unit);

	return name ? name : "none";
}

static void keep_string(void *arg, const char *s, size_t n)
{
	struct speedscope *ss = arg;

	ss->strings[ss->n_strings] = s;
	ss->lengths[ss->n_strings++] = n;
}

static void put_string(struct speedscope *ss, const char *name, uint32_t number)
{
	jsonw_bytes(&ss->w, name, ss->strings[number], ss->lengths[number]);
}

static void put_frame(void *arg, uint32_t name, uint32_t module)
{
	struct speedscope *ss = arg;

	jsonw_open(&ss->w, NULL, '{');
	put_string(ss, "name", name);
	if (module)
		put_string(ss, "file", module);
	jsonw_close(&ss->w, '}');
	ss->n_frames++;
}

/* The process, unless it has a frame already. */
static void put_comm(void *arg, const struct profile_stack *s)
{
	struct speedscope *ss = arg;

	if (ss->comms[s->comm])
		return;
	ss->comms[s->comm] = ss->n_frames;
	put_frame(ss, s->comm, 0);
}

static void put_stack(void *arg, const struct profile_stack *s)
{
	struct speedscope *ss = arg;

	if (!s->values[ss->value])
		return;
	jsonw_open(&ss->w, NULL, '[');
	jsonw_unsigned(&ss->w, NULL, ss->comms[s->comm]);
	for (uint32_t i = s->n; i-- > 0;)
		jsonw_unsigned(&ss->w, NULL, s->frames[i]);
	jsonw_close(&ss->w, ']');
	ss->sum += s->values[ss->value];
}

static void put_weight(void *arg, const struct profile_stack *s)
{
	struct speedscope *ss = arg;

	if (s->values[ss->value])
		jsonw_unsigned(&ss->w, NULL, s->values[ss->value]);
}

static void put_profile(struct speedscope *ss, const char *unit)
{
	struct jsonw *w = &ss->w;

	ss->sum = 0;
	jsonw_open(w, NULL, '{');
	jsonw_text(w, "type", "sampled");
	jsonw_text(w, "name", unit);
	jsonw_text(w, "unit", unit_of(unit));
	jsonw_unsigned(w, "startValue", 0);
	jsonw_open(w, "samples", '[');
	profile_each_stack(ss->p, put_stack, ss);
	jsonw_close(w, ']');
	jsonw_open(w, "weights", '[');
	profile_each_stack(ss->p, put_weight, ss);
	jsonw_close(w, ']');
	jsonw_unsigned(w, "endValue", ss->sum);
	jsonw_close(w, '}');
}

static void put_all(struct speedscope *ss)
{
	struct jsonw *w = &ss->w;

	jsonw_open(w, NULL, '{');
	jsonw_text(w, "$schema", "https://www.speedscope.app/file-format-schema.json");
	jsonw_text(w, "exporter", "sonde " SONDE_VERSION);
	jsonw_text(w, "name", ss->p->name);
	jsonw_open(w, "shared", '{');
	jsonw_open(w, "frames", '[');
	profile_each_frame(ss->p, put_frame, ss);
	profile_each_stack(ss->p, put_comm, ss);
	jsonw_close(w, ']');
	jsonw_close(w, '}');
	jsonw_open(w, "profiles", '[');
	for (; ss->value < PROFILE_VALUES && ss->p->units[ss->value]; ss->value++)
		put_profile(ss, ss->p->units[ss->value]);
	jsonw_close(w, ']');
	jsonw_end(w);
}

int profile_speedscope(FILE *file, const struct profile *p, struct error *err)
{
	const uint32_t n = profile_strings(p);
	struct speedscope ss = {
		.p = p, .w = { .to = file }, .strings = calloc(n, sizeof(*ss.strings)),
		.lengths = calloc(n, sizeof(*ss.lengths)), .comms = calloc(n, sizeof(*ss.comms)),
	};
	int result = 0;

	if (!ss.strings || !ss.lengths || !ss.comms) {
		result = fail(err, "out of memory");
	} else {
		profile_each_string(p, keep_string, &ss);
		put_all(&ss);
	}
	free(ss.strings);
	free(ss.lengths);
	free(ss.comms);
	return result;
}
