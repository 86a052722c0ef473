// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/patterns/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"

#define PLAIN_MOST 64			/* of names that are compared letter by letter */

static const char glob_letters[] = "*?[";
static const char regex_letters[] = ".*+?[]()|^$\\{}";

size_t pattern_plain(const struct pattern *p)
{
	return strcspn(p->name, p->regex ? regex_letters : glob_letters);
}

/*
 * The text behind "p:", "r:", "t:" or "u:", which tell the kind of pattern; or all of it. As with
 * bcc, nothing before the first of two colons is "p".
 */
static const char *take_kind(struct pattern *p, const char *text)
{
	if (*text == ':' && strchr(text + 1, ':'))
		return text + 1;
	if (!strchr("prtu", *text) || !*text || text[1] != ':')
		return text;
	p->returns = *text == 'r';
	if (*text == 't')
		p->kind = PATTERN_TRACEPOINT;
	if (*text == 'u')
		p->kind = PATTERN_USDT;
	return text + 2;
}

/* LIBRARY:PROBE or LIBRARY:PROVIDER:PROBE; a provider has no slash. */
static int take_usdt(struct pattern *p, const char *text)
{
	const char *colon = strrchr(text, ':'), *end = colon ? colon : text, *second;

	p->name = strdup(colon ? colon + 1 : text);
	second = memrchr(text, ':', (size_t)(end - text));
	if (second && !memchr(second, '/', (size_t)(end - second))) {
		if (end - second > 1)
			p->provider = strndup(second + 1, (size_t)(end - second) - 1);
		if (end - second > 1 && !p->provider)
			return -1;
		end = second;
	}
	p->file = end == text ? strdup("*") : strndup(text, (size_t)(end - text));
	return p->name && p->file ? 0 : -1;
}

/* The file and the name in it: paths may have colons, names have none. */
static int take_names(struct pattern *p, const char *text)
{
	const char *colon = strrchr(text, ':');

	if (p->kind == PATTERN_TRACEPOINT) {
		p->name = strdup(text);
		return p->name ? 0 : -1;
	}
	if (p->kind == PATTERN_USDT)
		return take_usdt(p, text);
	if (colon && colon != text) {
		p->kind = PATTERN_USER;
		p->file = strndup(text, (size_t)(colon - text));
	}
	p->name = strdup(colon ? colon + 1 : text);
	return p->name && (p->file || p->kind != PATTERN_USER) ? 0 : -1;
}

static int compile(struct pattern *p, struct error *err)
{
	struct error why;
	char *whole;

	if (p->provider) {
		p->providers = expression_of_glob(p->provider, &why);
		if (!p->providers)
			return fail(err, "'%s' is not a pattern: %s", p->provider, why.text);
	}
	if (p->one)
		return 0;
	if (!p->regex) {
		p->compiled = expression_of_glob(p->name, &why);
		return p->compiled ? 0 : fail(err, "'%s' is not a pattern: %s", p->name, why.text);
	}
	if (asprintf(&whole, "^(%s)", p->name) < 0)
		return fail(err, "out of memory");
	p->compiled = expression_new(whole, &why);
	free(whole);
	return p->compiled ? 0 :
		fail(err, "'%s' is not a regular expression: %s", p->name, why.text);
}

static int check(const struct pattern *p, const char *text, struct error *err)
{
	if (p->kind == PATTERN_USDT && (!*p->name || !strchr(text + 2, ':')))
		return fail(err, "'%s' names no probe (USDT): u:LIBRARY:PROBE or "
				 "u:LIBRARY:PROVIDER:PROBE is wanted", text);
	if (!*p->name)
		return fail(err, "'%s' names no function: NAME, LIBRARY:NAME or t:SYSTEM:EVENT is "
				 "wanted", text);
	if (p->kind == PATTERN_TRACEPOINT && !strchr(p->name, ':'))
		return fail(err, "'%s' names no tracepoint: t:SYSTEM:EVENT is wanted", text);
	if (p->kind == PATTERN_KERNEL && strchr(p->name, '/'))
		return fail(err, "'%s' names a file and no function: FILE:FUNCTION is wanted",
			    text);
	return 0;
}

int pattern_parse(struct pattern *p, const char *text, bool regex, struct error *err)
{
	*p = (struct pattern){ .kind = PATTERN_KERNEL };
	if (take_names(p, take_kind(p, text))) {
		pattern_free(p);
		return fail(err, "out of memory");
	}
	p->regex = regex;
	p->one = !p->name[pattern_plain(p)];
	p->regex = regex && !p->one;
	if (check(p, text, err) || compile(p, err)) {
		pattern_free(p);
		return -1;
	}
	return 0;
}

const char *pattern_name(const struct pattern *p, const char *name)
{
	const char *colon = p->kind == PATTERN_USDT ? strchr(name, ':') : NULL;
	char provider[256];

	if (!colon)
		return name;
	text_all(provider, sizeof(provider), "%.*s", (int)(colon - name), name);
	return !p->providers || expression_matches(p->providers, provider) ? colon + 1 : NULL;
}

bool pattern_matches(void *pattern, const char *name)
{
	const struct pattern *p = pattern;

	name = pattern_name(p, name);
	return name && (p->one ? !strcmp(p->name, name) : expression_matches(p->compiled, name));
}

void pattern_free(struct pattern *p)
{
	expression_free(p->providers);
	expression_free(p->compiled);
	free(p->file);
	free(p->provider);
	free(p->name);
	*p = (struct pattern){ };
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Damerau's distance of a and b, which have n and m letters. */
static int distance(const char *a, size_t n, const char *b, size_t m)
{
	int rows[3][PLAIN_MOST + 4], *before = rows[0], *last = rows[1], *now = rows[2], *spare;

	for (size_t j = 0; j <= m; j++)
		last[j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		now[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(least(last[j] + 1, now[j - 1] + 1),
				       last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
		spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[m];
}

int pattern_distance(const struct pattern *p, const char *name)
{
	size_t n = pattern_plain(p), m;
	int most = n < 4 ? 1 : 2, d;

	if (n < 3 || n > PLAIN_MOST)
		return -1;
	m = strnlen(name, p->one ? n + 3 : n);
	if (m > n + 2)
		return -1;
	d = distance(p->name, n, name, m);
	return d <= most ? d : -1;
}
