// SPDX-License-Identifier: GPL-2.0
/* Where a probe that stays is: a function of the kernel, or of one file. */
#include "src/commands/probe/kept.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compat/base/text.h"
#include "compat/binaries/narrow_stacks.h"
#include "src/toolkit/patterns/found.h"

#define OFFSET_MOST INT32_MAX

/* ---- what the user wrote ---- */

/* Cuts "%return" and "+OFFSET" off; -1 and err. */
static int take_ends(char *text, struct kept_place *place, struct error *err)
{
	const char *colon = strrchr(text, ':');
	char *end = strrchr(text, '%'), *plus, *rest;

	if (end && !strcmp(end, "%return")) {
		place->returns = true;
		*end = '\0';
	} else if (end && end > (colon ? colon : text)) {
		return fail(err, "'%s' is not known behind a function: %%return is", end);
	}
	plus = strrchr(text, '+');
	if (!plus || plus < colon || !isdigit((unsigned char)plus[1]))
		return 0;
	place->offset = strtoull(plus + 1, &rest, 0);
	if (*rest || place->offset > OFFSET_MOST)
		return fail(err, "'%s' is no offset: +8 or +0x8 is wanted behind a function",
			    plus);
	*plus = '\0';
	return 0;
}

static int no_feature(struct kernel *k, struct kept_place *place, enum feature f, const char *what,
		      const char *instead, struct error *err)
{
	const struct feature_reason why = kernel_feature_reason(k, f);
	char words[FEATURE_REASON];

	place->unfit = true;
	feature_reason_words(&why, words, sizeof(words));
	return fail(err, "%s can't be probed: %s are unavailable%s%s\n%s", what, feature_name(f),
		    *words ? ": " : "", words, instead);
}

/* ---- of the kernel ---- */

static int one_function(struct kernel *k, const struct pattern *p, char **symbol,
			struct error *err)
{
	struct patterns found;
	int result = patterns_find(k, p->name, false, false, &found, err);

	if (!result && found.found->listing.n != 1)
		result = fail(err, "%u functions of the kernel have the name '%s', and a probe can "
				   "be on only one function", found.found->listing.n, p->name);
	if (!result) {
		*symbol = strdup(found.found->listing.list[0].name);
		result = *symbol ? 0 : fail(err, "out of memory");
	}
	patterns_free(&found);
	return result;
}

static int of_kernel(struct kernel *k, const struct pattern *p, struct kept_place *place,
		     char *note, size_t size, struct error *err)
{
	const char *instead = kernel_has(k, FEATURE_UPROBES) ?
		"functions of programs and libraries can be: NAME=FILE:FUNCTION; tracepoints need "
		"no probe" : "tracepoints need no probe: sonde trace t:SYSTEM:EVENT";
	char *symbol = NULL, offset[32] = "";

	if (!kernel_has(k, FEATURE_KPROBES))
		return no_feature(k, place, FEATURE_KPROBES, "functions of the kernel", instead,
				  err);
	place->is_call = kernel_syscall(k, p->name, &place->call) != NULL;
	if (!place->is_call && one_function(k, p, &symbol, err))
		return -1;
	if (place->is_call && place->call.wrapped)
		text_cut(note, size, "%s() gets its arguments in a struct pt_regs; $arg1 is the "
				     "first argument of the system call", place->call.name);
	if (place->offset)
		snprintf(offset, sizeof(offset), "+%llu", (unsigned long long)place->offset);
	if (asprintf(&place->text, "%s%s", symbol ? symbol : place->call.name, offset) < 0)
		place->text = NULL;
	free(symbol);
	return place->text ? 0 : fail(err, "out of memory");
}

/* ---- of a file ---- */

/* Does the kernel find the file under this name, as the processes that have mapped it do? */
static bool is_here(struct kernel *k, const struct binary *b)
{
	struct stat there, open;

	return !kernel_live(k) || (*b->path == '/' && !stat(b->path, &there) &&
				   !stat(b->file, &open) && there.st_dev == open.st_dev &&
				   there.st_ino == open.st_ino);
}

/* Some machines have a second C library, whose loader it is: then it is not what `c` means. */
static bool is_loader(const struct listed *f)
{
	const char *slash = strrchr(f->binary->path, '/');

	return !strncmp(slash ? slash + 1 : f->binary->path, "ld-", 3);
}

static int several(const struct listing *l, const char *file, struct error *err)
{
	struct lines paths = { .most = 8 };
	int result;

	for (unsigned int i = 0; i < l->n; i++)
		lines_add(&paths, "\t%s:%s", l->list[i].binary->path, l->list[i].name);
	result = fail(err, "%s is the name of several files, and a probe can be on only one file: "
			   "give its path\n%s", file,
		      lines_text(&paths));
	lines_free(&paths);
	return result;
}

static int in_file(struct kernel *k, const struct listing *l, const char *file,
		   struct kept_place *place, struct error *err)
{
	const struct listed *one = NULL;
	const char *path;
	struct error why;

	for (unsigned int i = 0; i < l->n; i++) {
		const struct listed *f = &l->list[i];

		if (!is_here(k, f->binary) || (one && is_loader(f)))
			continue;
		if (one && !is_loader(one))
			return several(l, file, err);
		one = f;
	}
	if (!one)
		return fail(err, "%s is not in sonde's own root folder, and a probe that stays "
				 "needs a path there\nname a file: NAME=/PATH/FILE:FUNCTION", file);
	path = one->binary->path;
	place->unfit = place->returns && binary_moves_stacks(k, one->binary);
	if (place->unfit)
		return fail(err, "returns of %s can't be probed: %s", path, moving_stacks);
	place->unfit = binary_spared(k, one->binary, one->address + place->offset, place->returns,
				     &why);
	if (place->unfit)
		return fail(err, "%s of %s can't be probed: %s",
			    place->returns ? "returns" : one->name, path, why.text);
	if (path[strcspn(path, " \t\n")])
		return fail(err, "'%s' can't be probed: the kernel takes no blanks in a path\nmake "
				 "a hard link without blanks, and probe the link", path);
	place->abi = one->binary->abi;
	if (asprintf(&place->text, "%s:0x%llx", path,
		     (unsigned long long)(one->address + place->offset)) < 0) {
		place->text = NULL;
		return fail(err, "out of memory");
	}
	return 0;
}

/* A path from the root, as the kernel keeps it; a library's or program's name is as it is. */
static char *file_named(struct kernel *k, const char *file)
{
	char *path = strchr(file, '/') && *file != '/' && kernel_live(k) ? realpath(file, NULL) :
		     NULL;

	return path ? path : strdup(file);
}

static int of_user(struct kernel *k, const struct pattern *p, struct kept_place *place,
		   struct error *err)
{
	char *file = file_named(k, p->file), *spec = NULL;
	struct patterns found = { };
	int result;

	if (!kernel_has(k, FEATURE_UPROBES))
		result = no_feature(k, place, FEATURE_UPROBES, "functions of user space",
				    "tracepoints need no probe: sonde trace t:SYSTEM:EVENT", err);
	else if (place->returns && kernel_arch(k)->thumb)
		result = fail(err, "returns of user space can't be probed on 32-bit ARM: that "
				   "crashes callers that are Thumb code");
	else if (!file || asprintf(&spec, "%s:%s", file, p->name) < 0)
		result = fail(err, "out of memory");
	else
		result = patterns_find(k, spec, false, false, &found, err);
	if (!result)
		result = in_file(k, &found.found->listing, p->file, place, err);
	patterns_free(&found);
	free(file);
	free(spec);
	return result;
}

int kept_place(struct kernel *k, const char *text, struct kept_place *place, char *note,
	       size_t size, struct error *err)
{
	char *names = strdup(text);
	struct pattern p = { };
	int result = names ? take_ends(names, place, err) : fail(err, "out of memory");

	if (!result)
		result = pattern_parse(&p, names, false, err);
	if (!result && (!p.one || (p.kind != PATTERN_KERNEL && p.kind != PATTERN_USER)))
		result = fail(err, "'%s' is not one function, and a probe can be on only one "
				   "function", text);
	place->returns |= p.returns;
	if (!result && place->returns && place->offset)
		result = fail(err, "'%s': a return has no offset", text);
	if (!result)
		result = p.kind == PATTERN_USER ? of_user(k, &p, place, err) :
			 of_kernel(k, &p, place, note, size, err);
	pattern_free(&p);
	free(names);
	return result;
}
