// SPDX-License-Identifier: GPL-2.0
/* The probes that are there, of whomever: reading the kernel's lists. */
#include "src/commands/probe/made.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/text.h"

static const struct {
	const char *file, *letters;	/* of lines that are probes on functions */
	const char *kinds[2];		/* of its letters */
} lists[] = {
	{ "kprobe_events", "pr", { "kprobe", "kretprobe" } },
	{ "uprobe_events", "pr", { "uprobe", "uretprobe" } },
	/* 5.0; it has those of the others, too */
	{ "dynamic_events", "ft", { "fprobe", "tprobe" } },
};

/* Whose probes have such groups. */
static const char *owner(const char *group)
{
	if (!strcmp(group, KEPT_GROUP))
		return "sonde";
	if (kept_is_private(group))
		return "sonde run";
	return !strcmp(group, "probe") || !strncmp(group, "probe_", 6) ? "perf" : NULL;
}

/* r1024:GROUP/NAME PLACE ARGUMENTS... */
static bool parse(const char *line, unsigned int list, struct made_probe *p)
{
	const char *letter = strchr(lists[list].letters, *line);
	const char *colon = strchr(line, ':'), *slash = colon ? strchr(colon, '/') : NULL;
	const char *blank = slash ? strchr(slash, ' ') : NULL;

	if (!*line || !letter || !blank || slash - colon > KEPT_NAME ||
	    blank - slash > KEPT_NAME || slash == colon + 1)
		return false;
	*p = (struct made_probe){
		.list = lists[list].file, .kind = lists[list].kinds[letter - lists[list].letters],
	};
	memcpy(p->group, colon + 1, (size_t)(slash - colon - 1));
	memcpy(p->name, slash + 1, (size_t)(blank - slash - 1));
	p->by = owner(p->group);
	p->line = strdup(line);
	p->place = p->line ? p->line + (blank + 1 - line) : NULL;
	return true;
}

static void look_enabled(const char *tracefs, struct made_probe *p)
{
	char path[2 * KEPT_NAME + 32], text[8];

	text_all(path, sizeof(path), "events/%s/%s/enable", p->group, p->name);
	p->enabled = tracefs_read(tracefs, path, text, sizeof(text)) > 0 && *text != '0';
}

static int read_list(const char *tracefs, unsigned int list, struct made_probes *all,
		     struct error *err)
{
	char *text = tracefs_text(tracefs, lists[list].file), *rest;
	const int error = errno;
	int result = 0;

	if (!text)
		return error == ENOENT ? 0 :
			tracefs_fail(err, error, "can't read %s/%s", tracefs, lists[list].file);
	for (char *line = strtok_r(text, "\n", &rest); line && !result;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct made_probe p;

		if (!parse(line, list, &p))
			continue;
		if (!p.line || array_room(&all->list, all->n, sizeof(*all->list))) {
			free(p.line);
			result = fail(err, "out of memory");
			continue;
		}
		look_enabled(tracefs, &p);
		all->list[all->n++] = p;
	}
	free(text);
	return result;
}

static int order(const void *a, const void *b)
{
	const struct made_probe *x = a, *y = b;
	const int result = strcmp(x->group, y->group);

	return result ? result : strcmp(x->name, y->name);
}

int made_read(const char *tracefs, struct made_probes *all, struct error *err)
{
	*all = (struct made_probes){ };
	for (unsigned int i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (read_list(tracefs, i, all, err))
			return -1;
	if (all->n)
		qsort(all->list, all->n, sizeof(*all->list), order);
	return 0;
}

void made_free(struct made_probes *all)
{
	for (unsigned int i = 0; i < all->n; i++)
		free(all->list[i].line);
	free(all->list);
	*all = (struct made_probes){ };
}

const struct made_probe *made_find(const struct made_probes *all, const char *group,
				   const char *name)
{
	for (unsigned int i = 0; i < all->n; i++)
		if (!strcmp(all->list[i].group, group) && !strcmp(all->list[i].name, name))
			return &all->list[i];
	return NULL;
}
