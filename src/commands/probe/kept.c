// SPDX-License-Identifier: GPL-2.0
#include "src/commands/probe/kept.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a line that is written to kprobe_events or uprobe_events. */
#define DEFINITION_MOST 4090

/* The kernel's limit for returns that are waited for is small: the same as tools ask for. */
#define ROOM "1024"

bool kept_is_private(const char *group)
{
	return !strncmp(group, "sonde_", 6);
}

static int check_name(const char *what, const char *name, size_t n, char to[KEPT_NAME],
		      struct error *err)
{
	size_t i;

	if (!n)
		return fail(err, "the name of the %s is missing: NAME=FUNCTION is wanted", what);
	if (n >= KEPT_NAME)
		return fail(err, "'%.*s' is too long for the name of a %s: the kernel takes %d "
				 "characters", (int)n, name, what, KEPT_NAME - 1);
	for (i = 0; i < n && (isalpha((unsigned char)name[i]) || name[i] == '_' ||
			      (i && isdigit((unsigned char)name[i]))); i++)
		;
	if (i < n)
		return fail(err, "'%.*s' is no name of a %s: letters, digits and _ are wanted, and "
				 "no digit first", (int)n, name, what);
	memcpy(to, name, n);
	to[n] = '\0';
	return 0;
}

/* [GROUP:]NAME */
static int take_names(struct kept *p, const char *text, size_t n, struct error *err)
{
	const char *colon = memchr(text, ':', n);
	size_t group = colon ? (size_t)(colon - text) : 0;

	strcpy(p->group, KEPT_GROUP);
	if (colon && check_name("group", text, group, p->group, err))
		return -1;
	if (kept_is_private(p->group))
		return fail(err, "groups sonde_* belong to running sondes, which remove them: name "
				 "another group");
	if (colon) {
		text = colon + 1;
		n -= group + 1;
	}
	return check_name("probe", text, n, p->name, err);
}

static int define(struct kernel *k, const struct kept_place *place, const char *arguments,
		  struct kept *p, struct error *err)
{
	const bool room = place->returns && !place->abi && kernel_has(k, FEATURE_KRETPROBE_ROOM);

	p->list = place->abi ? "uprobe_events" : "kprobe_events";
	if (asprintf(&p->definition, "%c%s:%s/%s %s%s", place->returns ? 'r' : 'p',
		     room ? ROOM : "", p->group, p->name, place->text, arguments) < 0) {
		p->definition = NULL;
		return fail(err, "out of memory");
	}
	if (strchr(p->definition, '#'))
		return fail(err, "the kernel takes '#' and the text behind it as a comment: it "
				 "can't be in a path or an argument");
	return strlen(p->definition) <= DEFINITION_MOST ? 0 :
		fail(err, "the definition has %zu characters, and the kernel takes %d: name fewer "
			  "arguments", strlen(p->definition), DEFINITION_MOST);
}

int kept_parse(struct kernel *k, const char *text, struct kept *p, struct error *err)
{
	struct kept_place place = { };
	const char *equals, *end;
	char *where = NULL, *arguments = NULL;
	int result = -1;

	*p = (struct kept){ };
	text += strspn(text, " \t\n");
	end = text + strcspn(text, " \t\n");
	equals = memchr(text, '=', (size_t)(end - text));
	if (!equals)
		return fail(err, "'%.*s' has no name: NAME=FUNCTION is wanted, as in "
				 "'myopen=do_sys_openat2'", (int)(end - text), text);
	if (take_names(p, text, (size_t)(equals - text), err))
		return -1;
	where = strndup(equals + 1, (size_t)(end - equals - 1));
	if (!where)
		return fail(err, "out of memory");
	if (!kept_place(k, where, &place, p->note, sizeof(p->note), err))
		arguments = kept_arguments(k, &place, end, p->note, sizeof(p->note), err);
	p->unfit = place.unfit;
	if (arguments)
		result = define(k, &place, arguments, p, err);
	free(where);
	free(arguments);
	free(place.text);
	return result;
}

void kept_free(struct kept *p)
{
	free(p->definition);
	*p = (struct kept){ };
}
