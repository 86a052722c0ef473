// SPDX-License-Identifier: GPL-2.0
/* What is around the parts of tuples and records: brackets and names. */
#include "src/bt/show/brackets.h"

#include <string.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"

int bt_keep_name(struct bt *b, const char **to, const char *text, size_t length,
		 struct error *err)
{
	*to = NULL;
	if (!length)
		return 0;
	for (unsigned int i = 0; i < b->n_words; i++)
		if (strlen(b->words[i]) == length && !memcmp(b->words[i], text, length)) {
			*to = b->words[i];
			return 0;
		}
	if (array_room(&b->words, b->n_words, sizeof(*b->words)))
		return fail(err, "out of memory");
	*to = script_keep(&b->script, strndup(text, length));
	if (!*to)
		return fail(err, "out of memory");
	b->words[b->n_words++] = *to;
	return 0;
}

bool bt_next_bracket(const char **p)
{
	const bool bracket = strchr("({", **p);

	*p += bracket ? 1 : strcspn(*p, "=") + 1;
	return bracket;
}

void bt_path_of(const struct bt_shape *shapes, unsigned int i, bool within, char *to, size_t size)
{
	struct {
		unsigned int number;
		const char *name;
	} at[2 * BT_KEYS] = { };
	struct strbuf path = strbuf_over(to, size);
	unsigned int depth = within;

	for (unsigned int k = 0; k <= i; k++) {
		const char *p = shapes[k].before, *name = p;

		for (; p && *p; name = p)
			if (!bt_next_bracket(&p)) {
				at[depth - 1].name = name;
			} else {
				at[depth].name = NULL;
				at[depth++].number = 0;
			}
		if (k == i)
			break;
		depth -= shapes[k].behind ? (unsigned int)strlen(shapes[k].behind) : 0;
		if (depth)
			at[depth - 1].number++;
	}
	for (unsigned int d = 0; d < depth; d++)
		if (at[d].name)
			strbuf_addf(&path, ".%.*s", (int)strcspn(at[d].name, "="), at[d].name);
		else
			strbuf_addf(&path, ".%u", at[d].number);
}

bool bt_is_one_record(const struct bt_shape *shapes, unsigned int n)
{
	size_t depth = 0;

	for (unsigned int i = 0; i < n; i++) {
		for (const char *p = shapes[i].before; p && *p;)
			depth += bt_next_bracket(&p);
		depth -= shapes[i].behind ? strlen(shapes[i].behind) : 0;
		if (!depth && i + 1 < n)
			return false;
	}
	return n && shapes->before && *shapes->before == '{';
}

int bt_without_brackets(struct bt *b, struct bt_value *list, unsigned int n, struct error *err)
{
	struct bt_shape *first = &list[0].shape, *last = &list[n - 1].shape;

	return bt_keep_name(b, &first->before, first->before + 1, strlen(first->before) - 1,
			    err) ||
	       bt_keep_name(b, &last->behind, last->behind, strlen(last->behind) - 1, err) ?
	       -1 : 0;
}

void bt_put_around(FILE *to, const char *around, enum bt_around form)
{
	static const char marks[] = "({)}";
	static const struct {
		const char *marks[4], *name, *behind;
	} forms[] = {
		[BT_AROUND_TEXT] = { { "(", "{ ", ")", " }" }, ".", " = " },
		[BT_AROUND_JSON] = { { "[", "{", "]", "}" }, "\"", "\": " },
		[BT_AROUND_KEY] = { { "(", "{", ")", "}" }, ".", "=" },
	};

	while (around && *around) {
		const char *mark = strchr(marks, *around);
		const int n = (int)strcspn(around, "=");

		if (mark)
			fputs(forms[form].marks[mark - marks], to);
		else
			fprintf(to, "%s%.*s%s", forms[form].name, n, around, forms[form].behind);
		around += mark ? 1 : n + 1;
	}
}
