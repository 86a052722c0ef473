// SPDX-License-Identifier: GPL-2.0
/* The writer of JSON. */
#include "compat/base/jsonw.h"

#include <stdlib.h>

#include <check.h>

Suite *suite_jsonw(void);

/* All kinds of values, as members and as elements, in brackets in brackets. */
static void write_all(struct jsonw *w)
{
	jsonw_open(w, NULL, '{');
	jsonw_open(w, "none", '[');
	jsonw_close(w, ']');
	jsonw_text(w, "text", "a \"b\"\n");
	jsonw_text(w, "null", NULL);
	jsonw_text(w, "empty", "");
	jsonw_words(w, "no \"words\"", "");
	jsonw_bytes(w, "bytes", "a\0b", 3);
	jsonw_open(w, "list", '[');
	jsonw_integer(w, NULL, INT64_MIN);
	jsonw_unsigned(w, NULL, UINT64_MAX);
	jsonw_open(w, NULL, '{');
	jsonw_bool(w, "yes", true);
	jsonw_close(w, '}');
	jsonw_open(w, NULL, '[');
	jsonw_bool(w, NULL, false);
	jsonw_close(w, ']');
	jsonw_close(w, ']');
	jsonw_end(w);
}

/* Names that come before their values, and values that the caller writes. */
static void write_named(struct jsonw *w)
{
	jsonw_open(w, NULL, '{');
	jsonw_key(w, "a\0b", 3);
	jsonw_integer(w, NULL, 1);
	jsonw_name(w, "list");
	jsonw_open(w, NULL, '[');
	jsonw_name(w, NULL);
	fputs("0.5", w->to);
	jsonw_open(w, NULL, '{');
	jsonw_name(w, "own");
	fputs("1e9", w->to);
	jsonw_close(w, '}');
	jsonw_text(w, NULL, "end");
	jsonw_close(w, ']');
	jsonw_name(w, "own");
	fputs("2", w->to);
	jsonw_name(w, "last");
	jsonw_words(w, NULL, NULL);
	jsonw_end(w);
}

static const struct {
	void (*write)(struct jsonw *w);
	bool spaced;
	const char *line;
} texts[] = {
	{ write_all, false,
	  "{\"none\":[],\"text\":\"a \\\"b\\\"\\n\",\"null\":null,\"empty\":\"\","
	  "\"no \\\"words\\\"\":null,\"bytes\":\"a\\u0000b\",\"list\":[-9223372036854775808,"
	  "18446744073709551615,{\"yes\":true},[false]]}\n" },
	{ write_all, true,
	  "{\"none\": [], \"text\": \"a \\\"b\\\"\\n\", \"null\": null, \"empty\": \"\", "
	  "\"no \\\"words\\\"\": null, \"bytes\": \"a\\u0000b\", \"list\": [-9223372036854775808, "
	  "18446744073709551615, {\"yes\": true}, [false]]}\n" },
	{ write_named, false,
	  "{\"a\\u0000b\":1,\"list\":[0.5,{\"own\":1e9},\"end\"],\"own\":2,\"last\":null}\n" },
	{ write_named, true,
	  "{\"a\\u0000b\": 1, \"list\": [0.5, {\"own\": 1e9}, \"end\"], \"own\": 2, "
	  "\"last\": null}\n" },
};

/* A writer goes on with the next line as with the first. */
START_TEST(lines)
{
	struct jsonw w = { .spaced = texts[_i].spaced };
	char both[1024], *text = NULL;
	size_t n;

	w.to = open_memstream(&text, &n);
	texts[_i].write(&w);
	texts[_i].write(&w);
	fclose(w.to);
	snprintf(both, sizeof(both), "%s%s", texts[_i].line, texts[_i].line);
	ck_assert_str_eq(text, both);
	free(text);
}
END_TEST

Suite *suite_jsonw(void)
{
	Suite *suite = suite_create("jsonw");

	add_tests(suite, "lines", lines, sizeof(texts) / sizeof(texts[0]));
	return suite;
}
