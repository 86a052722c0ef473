// SPDX-License-Identifier: GPL-2.0
/* Roles and units of columns: what their rows say, or their names and types. */
#include "src/lib/output/columns/roles.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "src/lib/output/output.h"

/* Names that mean the same in all tools. */
static const char *const named[COLUMN_ROLES] = {
	[IS_IDENTITY] = "pid tid ppid tpid ttid uid comm pcomm tcomm cpu cgroup disk device port "
			"lport rport sport dport",
	[IS_LABEL] = "ip errno fd ret result signal",
	[IS_COUNT] = "count samples",
	[IS_TIME] = "time time_s",
};

/* With what names end, behind a character that is no letter. */
static const struct {
	char word[8];
	unsigned char unit;		/* enum column_unit */
} words[] = {
	{ "ns", IN_NS }, { "nsecs", IN_NS }, { "us", IN_US }, { "usecs", IN_US },
	{ "ms", IN_MS }, { "seconds", IN_S }, { "kb/s", IN_KB_PER_S }, { "s", IN_S },
	{ "bytes", IN_BYTES }, { "kb", IN_KB }, { "kbytes", IN_KB }, { "mb", IN_MB },
	{ "pages", IN_PAGES }, { "percent", IN_PERCENT }, { "pct", IN_PERCENT },
};

/* Columns that only people have have no name: the head says it, as "LAT(ms)". */
static const char *name_of(const struct column *c)
{
	return *c->name ? c->name : c->head;
}

/* Heads are capitals; without the C library's, which comes with a table for each locale. */
static bool same(const char *s, const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] != word[i] && (s[i] < 'A' || s[i] > 'Z' || (s[i] | 0x20) != word[i]))
			return false;
	return true;
}

static bool ends_with(const char *s, size_t length, const char *word)
{
	const size_t n = strlen(word);

	return length >= n && same(s + length - n, word, n) &&
	       (length == n || !isalpha((unsigned char)s[length - n - 1]));
}

static enum column_unit unit_of(const char *name)
{
	size_t length = strlen(name);

	length -= length && name[length - 1] == ')';
	if (length && (name[0] == '%' || name[length - 1] == '%'))
		return IN_PERCENT;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ends_with(name, length, words[i].word))
			return words[i].unit == IN_S && length > 1 && name[length - 2] == '/' ?
			       IN_PER_S : words[i].unit;
	return IN_NAMED;
}

static bool has_name(const char *list, const char *name)
{
	const size_t n = strlen(name);

	while (list && *(list += strspn(list, " "))) {
		const size_t length = strcspn(list, " ");

		if (length == n && same(name, list, n))
			return true;
		list += length;
	}
	return false;
}

/* Times of day are texts: they need no unit. */
static bool is_clock(const struct column *c)
{
	return c->type == COLUMN_CLOCK || c->type == COLUMN_UTC;
}

static enum column_role by_type(const struct column *c)
{
	if (is_clock(c))
		return IS_TIME;
	if (c->type == COLUMN_ADDRESS)
		return IS_IDENTITY;
	if (c->type == COLUMN_TEXT || c->type == COLUMN_OCTAL)
		return IS_LABEL;
	return unit_of(name_of(c)) ? IS_VALUE : IS_NAMED;
}

enum column_role column_role(const struct column *c)
{
	if (c->role || c->unit)
		return c->role ? c->role : IS_VALUE;
	for (unsigned int i = 0; i < COLUMN_ROLES; i++)
		if (named[i] && has_name(named[i], name_of(c)))
			return i;
	return by_type(c);
}

enum column_unit column_unit(const struct column *c)
{
	const enum column_role role = column_role(c);

	if (c->unit)
		return c->unit;
	return role == IS_VALUE || (role == IS_TIME && !is_clock(c)) ? unit_of(name_of(c)) :
	       IN_NAMED;
}

bool column_adds(const struct column *c)
{
	static const char *const words[] = { "avg", "average", "mean", "min", "max" };

	if (c->level)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const size_t n = strlen(words[i]);
		const char *at = strstr(c->name, words[i]);

		if (at && (at == c->name || at[-1] == '_') && (!at[n] || at[n] == '_'))
			return false;
	}
	return true;
}

bool column_shows_unit(const struct column *c)
{
	return column_unit(c) == IN_NAMED || column_unit(c) == unit_of(c->head);
}

bool column_is_told(const struct column *c)
{
	const enum column_role role = column_role(c);

	if (role == IS_TIME)
		return is_clock(c) || column_unit(c);
	return role && (role != IS_VALUE || column_unit(c));
}

const char *role_text(enum column_role role)
{
	static const char texts[COLUMN_ROLES][9] = {
		[IS_IDENTITY] = "identity", [IS_LABEL] = "label", [IS_COUNT] = "count",
		[IS_VALUE] = "value", [IS_TIME] = "time",
	};

	assert(role < COLUMN_ROLES);
	return texts[role];
}

const char *unit_text(enum column_unit unit)
{
	static const char texts[COLUMN_UNITS][8] = {
		[IN_NS] = "ns", [IN_US] = "us", [IN_MS] = "ms", [IN_S] = "s",
		[IN_BYTES] = "bytes", [IN_KB] = "KB", [IN_MB] = "MB", [IN_SECTORS] = "sectors",
		[IN_PAGES] = "pages", [IN_PERCENT] = "percent", [IN_RATIO] = "ratio",
		[IN_PER_S] = "1/s", [IN_KB_PER_S] = "KB/s", [IN_ANY] = "any",
	};

	assert(unit < COLUMN_UNITS);
	return unit ? texts[unit] : NULL;
}
