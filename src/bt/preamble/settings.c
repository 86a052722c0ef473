// SPDX-License-Identifier: GPL-2.0
/* Settings of a script, `config = { KEY = VALUE; ... }`, and of the environment. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/bt/bind/bind.h"
#include "src/bt/preamble/preamble.h"
#include "src/lib/options/words.h"

#define WORDS 6
#define LENGTH 40			/* letters of a key or value */

enum kind { ANYTHING, FLAG, NUMBER, WORD };

struct setting {
	const char *name;
	const char *old;		/* an earlier name; NULL: none */
	enum kind kind;
	size_t to;			/* offset in struct bt_settings */
	const char *words[WORDS];	/* of WORD: the value is the number of the word */
	uint64_t most;			/* of NUMBER */
	const char *wants;		/* what a value must be */
};

#define TO(MEMBER) offsetof(struct bt_settings, MEMBER)
/* These speak of bpftrace's compiler and insides, and change nothing here. */
#define NOTHING(NAME, OLD) { NAME, OLD, ANYTHING, TO(unused), { }, 0, NULL }
#define ABOVE_0 "a number above 0"

static const struct setting settings[] = {
	{ "max_strlen", "strlen", NUMBER, TO(max_strlen), { }, 1 << 20, ABOVE_0 },
	{ "max_map_keys", "map_keys_max", NUMBER, TO(max_map_keys), { }, 1 << 24, ABOVE_0 },
	{ "print_maps_on_exit", NULL, FLAG, TO(print_maps_on_exit), { }, 0, "true or false" },
	{ "missing_probes", NULL, WORD, TO(missing_probes),
	  { [BT_MISSING_ERROR] = "error", [BT_MISSING_WARN] = "warn",
	    [BT_MISSING_IGNORE] = "ignore" }, 0, "error, warn or ignore" },
	{ "stack_mode", NULL, WORD, TO(stack_mode),
	  { [BT_STACK_NAMES] = "bpftrace", [BT_STACK_PERF] = "perf", [BT_STACK_RAW] = "raw" }, 0,
	  "bpftrace, perf or raw" },
	{ "compat", NULL, WORD, TO(compat), { [BT_NEWEST] = "newest", [BT_0_23] = "0.23" }, 0,
	  "0.23 or newest" },
	{ "max_cat_bytes", "cat_bytes_max", NUMBER, TO(max_cat_bytes), { }, 1 << 20, ABOVE_0 },
	{ "license", NULL, WORD, TO(license),
	  { "Dual MIT/GPL", "Dual BSD/GPL", "Dual MPL/GPL", "GPL and additional rights", "GPL v2",
	    "GPL" }, 0, "one of: Dual MIT/GPL, Dual BSD/GPL, Dual MPL/GPL, GPL and additional "
	    "rights, GPL v2, GPL" },
	NOTHING("cache_user_symbols", NULL), NOTHING("cpp_demangle", "no_cpp_demangle"),
	NOTHING("lazy_symbolication", NULL),
	NOTHING("log_size", NULL), NOTHING("max_bpf_progs", NULL),
	NOTHING("max_probes", NULL),
	NOTHING("max_type_res_iterations", NULL), NOTHING("max_ast_nodes", NULL),
	NOTHING("on_stack_limit", NULL), NOTHING("perf_rb_pages", NULL),
	NOTHING("show_debug_info", NULL), NOTHING("str_trunc_trailer", NULL),
	NOTHING("unstable_import", NULL), NOTHING("unstable_import_statement", NULL),
	NOTHING("unstable_map_decl", NULL), NOTHING("unstable_macro", NULL),
	NOTHING("unstable_tseries", NULL), NOTHING("unstable_addr", NULL),
	NOTHING("unstable_dw_ustack", NULL), NOTHING("unstable_typeinfo", NULL),
	NOTHING("use_blazesym", NULL), NOTHING("use_ustack", NULL),
};
#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* ---- values ---- */

static bool flag(const char *value, uint64_t *to)
{
	static const char *const words[][2] = { { "false", "true" }, { "0", "1" } };

	for (int i = 0; i < 4; i++)
		if (!strcmp(value, words[i / 2][i % 2])) {
			*to = i % 2;
			return true;
		}
	return false;
}

static bool word(const struct setting *s, const char *value, uint64_t *to)
{
	for (unsigned int i = 0; i < WORDS; i++)
		if (s->words[i] && !strcmp(value, s->words[i])) {
			*to = i;
			return true;
		}
	return false;
}

static bool number(const struct setting *s, const char *value, uint64_t *to)
{
	char *end;

	errno = 0;
	*to = strtoull(value, &end, 0);
	return isdigit((unsigned char)*value) && !*end && !errno && *to && *to <= s->most;
}

/* Returns false if the setting can't have this value. */
static bool set(struct bt_settings *to, const struct setting *s, const char *value)
{
	uint64_t *place = (uint64_t *)((char *)to + s->to);

	switch (s->kind) {
	case FLAG:
		return flag(value, place);
	case NUMBER:
		return number(s, value, place);
	case WORD:
		return word(s, value, place);
	case ANYTHING:
		break;
	}
	return true;
}

/* ---- keys ---- */

/* The setting of this name, in upper or lower case, with or without BPFTRACE_ in front. */
static const struct setting *setting(const char *name, size_t length, struct nearest *near)
{
	static const char prefix[] = "bpftrace_";
	char lower[LENGTH] = "";
	const char *key = lower;

	for (size_t i = 0; i < length && i < LENGTH - 1; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	if (!strncmp(key, prefix, strlen(prefix)))
		key += strlen(prefix);
	*near = (struct nearest){ .word = key, .length = strlen(key) };
	for (size_t i = 0; i < SETTINGS; i++) {
		if (!strcmp(key, settings[i].name) ||
		    (settings[i].old && !strcmp(key, settings[i].old)))
			return &settings[i];
		nearest_of(near, settings[i].name);
	}
	return NULL;
}

/* KEY = VALUE */
static int pair(struct parser *p)
{
	const struct token key = p->now;
	struct nearest near;
	const struct setting *s = setting(parser_text(p), key.length, &near);
	char value[LENGTH] = "";
	bool quoted;

	if (p->now.kind != TOKEN_NAME)
		return NOT_HERE(p, "a setting's name belongs here");
	if (!s && near.name)
		return NOT_HERE(p, "there is no setting `%.*s`; did you mean %s?", (int)key.length,
				parser_text(p), near.name);
	if (!s)
		return NOT_HERE(p, "%.*s: not a known configuration option; options with "
				"an effect here: max_strlen, max_map_keys, compat, "
				"max_cat_bytes, missing_probes, print_maps_on_exit and stack_mode",
				(int)key.length, parser_text(p));
	if (parser_step(p) || parser_expect(p, '='))
		return -1;
	quoted = p->now.kind == TOKEN_TEXT;
	if (p->now.kind == TOKEN_END || p->now.kind == TOKEN_OPERATOR)
		return NOT_HERE(p, "the setting's value belongs here");
	text_cut(value, sizeof(value), "%.*s", (int)p->now.length - 2 * quoted,
		 parser_text(p) + quoted);
	return set(&bt_of(p->t)->settings, s, value) ? parser_step(p) :
	       NOT_HERE(p, "%s is %s", s->name, s->wants);
}

int bt_config(struct parser *p)
{
	if (parser_step(p) || parser_expect(p, '=') || parser_expect(p, '{'))
		return -1;
	while (!parser_is(p, '}')) {
		if (pair(p))
			return -1;
		if (!parser_is(p, ';') && !parser_is(p, '}'))
			return NOT_HERE(p, "';' is missing before this");
		if (parser_is(p, ';') && parser_step(p))
			return -1;
	}
	return parser_step(p);
}

/* ---- the environment ---- */

static const char *variable(const char *name, char *key)
{
	int n = snprintf(key, LENGTH, "BPFTRACE_");

	for (; *name && n < LENGTH - 1; name++)
		key[n++] = (char)toupper((unsigned char)*name);
	key[n] = '\0';
	return getenv(key);
}

int bt_environment(struct bt *b, struct error *err)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];
		char key[LENGTH];
		const char *value = s->old ? variable(s->old, key) : NULL, *now;

		now = variable(s->name, key);
		value = now ? now : value;
		if (value && !set(&b->settings, s, value))
			return fail(err, "ERROR: the environment's %s is '%.40s': %s is %s", key,
				    value, s->name, s->wants);
	}
	return 0;
}
