// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/bypass.h"

#include <stdlib.h>
#include <string.h>

#include "compat/kernel/keep.h"
#include "compat/kernel/names.h"
#include "compat/kinds/find.h"

/* The result for a function and an act: each function is tried once. */
struct tried {
	struct tried *next;
	int ran;
	enum act act;
	struct error why;
	char symbol[];
};

static const char *const acts[] = {
	[ACT_OPEN] = "opened a file", [ACT_CREATE] = "made a file", [ACT_READ] = "read from a file",
	[ACT_WRITE] = "wrote to a file", [ACT_UNLINK] = "removed a file",
	[ACT_MKDIR] = "made a directory", [ACT_RMDIR] = "removed a directory",
	[ACT_CONNECT] = "connected to a port that is closed",
};

struct trials {
	trier_fn trier;			/* NULL: no function is tried */
	struct tried *tried;
};

static void end(void *kept)
{
	struct trials *trials = kept;

	while (trials->tried) {
		struct tried *t = trials->tried;

		trials->tried = t->next;
		free(t);
	}
}

/* Returns NULL if there is no memory. */
static struct trials *trials_of(struct kernel *k)
{
	static const struct kernel_key key = { sizeof(struct trials), end };

	return kernel_keep(k, &key);
}

void kernel_set_trier(struct kernel *k, trier_fn trier)
{
	struct trials *trials = trials_of(k);

	if (trials)
		trials->trier = trier;
}

static int try(struct kernel *k, const char *symbol, enum act act, struct error *err)
{
	struct trials *trials = trials_of(k);
	struct tried *t = trials ? trials->tried : NULL;

	while (t && (t->act != act || strcmp(t->symbol, symbol)))
		t = t->next;
	if (!t) {
		t = trials ? calloc(1, sizeof(*t) + strlen(symbol) + 1) : NULL;
		if (!t)
			return fail(err, "out of memory");
		strcpy(t->symbol, symbol);
		t->act = act;
		t->ran = trials->trier ? trials->trier(k, symbol, act, &t->why) :
					 fail(&t->why, "it can't be tried here");
		t->next = trials->tried;
		trials->tried = t;
	}
	if (t->ran < 0)
		fail(err, "%.*s", (int)strcspn(t->why.text, "\n"), t->why.text);
	return t->ran;
}

static bool made_by_clang(struct kernel *k)
{
	const char *version = kernel_live(k) ? kernel_text(k, "/proc/version") : NULL;

	return version && strstr(version, "clang");
}

enum bypass kernel_bypass(struct kernel *k, const struct probe *p, struct error *err)
{
	const struct names *names;
	const char *symbol, *clone;
	struct error why = { };
	int ran = -1;

	if (!probe_finder(p)->bypassed || p->named)
		return BYPASS_NONE;
	symbol = kernel_function(k, p->name);
	if (!symbol || strcmp(symbol, p->name))
		return BYPASS_NONE;
	names = kernel_names(k);
	clone = names ? names_clone(names, symbol) : NULL;
	if (!clone && !(p->try && (p->doubtful || made_by_clang(k))))
		return BYPASS_NONE;
	if (p->try)
		ran = try(k, symbol, p->try, &why);
	if (ran == 1)
		return BYPASS_NONE;
	if (!ran) {
		fail(err, "%s() did not run when sonde %s: this kernel's calls go around it",
		     symbol, acts[p->try]);
		return BYPASS_SURE;
	}
	if (clone)
		fail(err, "calls of %s() may go around it, by %s%s%s", symbol, clone,
		     *why.text ? ": " : "", why.text);
	else
		fail(err, "calls of %s() may go around it: %s", symbol, why.text);
	return BYPASS_MAYBE;
}
