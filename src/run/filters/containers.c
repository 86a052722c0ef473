// SPDX-License-Identifier: GPL-2.0
/* --container, --pod, --unit: the control groups of those that run when tracing begins. */
#include "src/run/filters/filters_internal.h"

#include <stdlib.h>
#include <string.h>

#include "compat/containers/container_names.h"
#include "compat/expressions/expression.h"
#include "compat/tasks/cgroup_tree.h"
#include "src/run/options/common.h"

#define ID_LEAST 4			/* digits of an id that may stand for it */

struct search;

/* What an option names: a group's own part of a path. */
struct named {
	const char *what, *list;	/* what: also the option's name */
	bool (*matches)(struct search *s, const char *path);
};

struct search {
	const struct named *by;
	struct container_names *names;
	struct expression *pattern;
	const char *word;		/* the pattern's text */
	const char *mount;		/* of the first that matched: all have to be in one tree */
	struct lines *to;
	bool found;
};

static bool matches(const struct search *s, const char *text)
{
	return text && expression_matches(s->pattern, text);
}

static bool begins_id(const struct search *s, const char *id, size_t n)
{
	const size_t length = strlen(s->word);

	return length >= ID_LEAST && length <= n && !memcmp(id, s->word, length);
}

static bool is_container(struct search *s, const char *path)
{
	struct container_path c;

	return container_at_path(path, &c) &&
	       (matches(s, container_title(s->names, &c)) ||
		matches(s, container_facts(s->names, &c)->name) ||
		(!c.named && begins_id(s, c.id, c.n)));
}

static bool is_pod(struct search *s, const char *path)
{
	const struct container_facts *f;
	struct container_path c;

	if (!container_at_path(path, &c))
		return false;
	f = container_facts(s->names, &c);
	return matches(s, f->pod) || (c.pod && begins_id(s, c.pod, c.n_pod));
}

static bool is_unit(struct search *s, const char *path)
{
	char name[256];
	const char *unit;
	size_t n, length;

	unit = unit_of_path(path, &n, &length);
	if (!unit || path[length] || n >= sizeof(name))
		return false;
	memcpy(name, unit, n);
	name[n] = '\0';
	if (matches(s, name))
		return true;
	*strrchr(name, '.') = '\0';	/* a unit's name ends with its kind */
	return matches(s, name);
}

enum { BY_CONTAINER, BY_POD, BY_UNIT };

static const struct named named[] = {
	[BY_CONTAINER] = { "container", "`sonde containers` lists running containers",
			   is_container },
	[BY_POD] = { "pod", "`sonde containers` lists running containers", is_pod },
	[BY_UNIT] = { "unit", "`systemctl list-units` lists running units", is_unit },
};

static int look(void *arg, const char *mount, const char *path)
{
	struct search *s = arg;
	char *directory;

	if ((s->mount && strcmp(s->mount, mount) != 0) || !s->by->matches(s, path))
		return 0;
	s->mount = mount;
	s->found = true;
	if (asprintf(&directory, "%s%s", mount, path) < 0)
		return -1;
	lines_add(s->to, "%s", directory);
	free(directory);
	return 0;
}

static int find(struct search *s, struct error *err)
{
	s->found = false;
	s->pattern = expression_of_glob(s->word, err);
	if (!s->pattern)
		return -1;
	if (cgroup_each(look, s))
		return fail(err, "out of memory");
	return s->found ? 0 : fail(err, "--%s: no %s that runs now matches '%s'\n%s",
				   s->by->what, s->by->what, s->word, s->by->list);
}

static int find_all(struct search *s, const char *text, struct error *err)
{
	char *words = strdup(text), *rest = words, *word;
	int result = words ? 0 : fail(err, "out of memory");

	while (!result && (word = strsep(&rest, ","))) {
		s->word = word;
		result = find(s, err);
		expression_free(s->pattern);
	}
	free(words);
	return result;
}

int filter_containers(const struct options *o, struct lines *to, struct error *err)
{
	const struct common_options *common = common_of(o);
	const char *const texts[] = {
		[BY_CONTAINER] = common->container, [BY_POD] = common->pod,
		[BY_UNIT] = common->unit,
	};
	struct search s = { .to = to };
	int result = 0;

	for (size_t i = 0; i < sizeof(named) / sizeof(*named) && !result; i++) {
		if (!texts[i])
			continue;
		s.by = &named[i];
		if (!s.names)
			s.names = container_names_new(containers_root());
		result = s.names ? find_all(&s, texts[i], err) : fail(err, "out of memory");
	}
	container_names_free(s.names);
	return result;
}
