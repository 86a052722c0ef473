// SPDX-License-Identifier: GPL-2.0
/*
 * import "FILE.bt", "FILE.h" or "FOLDER": the text of the files becomes a part of the script's, in
 * front of what imports it, so that its probes come first. Each file is imported once.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/text/text.h"

#define FILES_MOST 64

struct importing {
	struct bt *b;
	char *text, *raw;		/* what is there of the whole */
	size_t n;
	struct stat seen[FILES_MOST];	/* files that are or were read */
	unsigned int n_seen;
	struct error *err;
};

/* A file that is read. Messages about its imports are about it alone. */
struct part {
	const struct part *outer;	/* which imports it; NULL: the script */
	struct source source;
};

static int read_part(struct importing *in, const struct part *outer, const char *name,
		     const char *text);

/* Set err to a message about the place AT of the part. Return -1. */
#define WRONG_IN(PART, AT, ...) source_error(&(PART)->source, AT, in->err, __VA_ARGS__)

/* ---- files ---- */

static bool ends_with(const char *name, const char *end)
{
	const size_t n = strlen(name), m = strlen(end);

	return n > m && !strcmp(name + n - m, end);
}

bool bt_is_header(const char *name)
{
	return ends_with(name, ".h");
}

/* Letters of the path of the folder that the file is in, with its slash. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash + 1 - path) : 0;
}

/* Scripts run as root, so nobody else may choose what they import. */
static bool may_be_changed(const char *path, const struct stat *st)
{
	char folder[PATH_MAX];
	struct stat of;

	text_all(folder, sizeof(folder), "%.*s.", folder_length(path), path);
	return st->st_mode & S_IWOTH || stat(folder, &of) || of.st_mode & S_IWOTH;
}

/* Returns false if the file was imported before. */
static bool is_new(struct importing *in, const struct stat *st)
{
	for (unsigned int i = 0; i < in->n_seen; i++)
		if (in->seen[i].st_dev == st->st_dev && in->seen[i].st_ino == st->st_ino)
			return false;
	if (in->n_seen < FILES_MOST)
		in->seen[in->n_seen++] = *st;
	return true;
}

static int import_file(struct importing *in, const struct part *by, size_t at, const char *path,
		       const struct stat *st)
{
	char *text, *name;
	size_t n;
	int result;

	if (!ends_with(path, ".bt") && !bt_is_header(path))
		return WRONG_IN(by, at, "a script imports FILE.bt, FILE.h or a folder of these: "
				"sonde does not compile C for BPF (.bpf.c), and a macro can "
				"replace its functions");
	if (!is_new(in, st))
		return 0;
	if (in->n_seen == FILES_MOST)
		return WRONG_IN(by, at, "a script imports %d files at most", FILES_MOST - 1);
	text = file_text(path, BT_SCRIPT_MOST + 1, &n);
	name = script_keep(&in->b->script, strdup(path));
	result = !text || !name ? WRONG_IN(by, at, "%s can't be read: %s", path, strerror(errno)) :
		 memchr(text, '\0', n) ? WRONG_IN(by, at, "%s is no text", path) :
					 read_part(in, by, name, text);
	free(text);
	return result;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int import_path(struct importing *in, const struct part *by, size_t at, const char *path,
		       bool folders);

/* All files of the folder that can be imported, but none of folders in it. */
static int import_folder(struct importing *in, const struct part *by, size_t at, const char *path)
{
	struct dirent **list = NULL;
	const int n = scandir(path, &list, NULL, by_name);
	char file[PATH_MAX];
	int result = n < 0 ? WRONG_IN(by, at, "%s can't be read: %s", path, strerror(errno)) : 0;

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (!result && (ends_with(name, ".bt") || bt_is_header(name)) &&
		    snprintf(file, sizeof(file), "%s/%s", path, name) < (int)sizeof(file))
			result = import_path(in, by, at, file, false);
		free(list[i]);
	}
	free(list);
	return result;
}

static int import_path(struct importing *in, const struct part *by, size_t at, const char *path,
		       bool folders)
{
	struct stat st;

	if (stat(path, &st))
		return WRONG_IN(by, at, "%s can't be imported: %s", path, strerror(errno));
	if (may_be_changed(path, &st))
		return WRONG_IN(by, at, "everyone may change %s, or its folder, so it is not "
				"imported: chmod o-w", path);
	if (!S_ISDIR(st.st_mode))
		return import_file(in, by, at, path, &st);
	return folders ? import_folder(in, by, at, path) : 0;
}

/* ---- statements ---- */

/* A path begins in the folder of the file that imports, or of one that imports this one. */
static int import(struct importing *in, const struct part *by, size_t at, const char *name)
{
	const struct part *from = by;
	char path[PATH_MAX];
	struct stat st;

	if (!strcmp(name, "stdlib") || !strncmp(name, "stdlib/", 7))
		return 0;		/* it is in sonde */
	do {
		const char *file = from->source.file;

		if (snprintf(path, sizeof(path), "%.*s%s", *name == '/' ? 0 : folder_length(file),
			     file, name) >= (int)sizeof(path))
			return WRONG_IN(by, at, "this path is too long");
		from = from->outer;
	} while (stat(path, &st) && from);
	return import_path(in, by, at, path, true);
}

/* Imports what is between the C declarations and all else, and leaves blanks there. */
static int imports_of(struct importing *in, const struct part *by)
{
	char *text = (char *)(uintptr_t)by->source.text, name[PATH_MAX];
	const char *p = bt_declarations_end(&by->source, text, in->err), *quoted, *end;

	for (; p; p = end) {
		p += strspn(p, BT_BLANKS ";");
		if (bt_is_word(p, "config")) {
			if (by->outer)
				return WRONG_IN(by, (size_t)(p - text), "only the script itself "
						"has a config, none of the files that it imports");
			end = bt_probe_end(p);
			continue;
		}
		if (!bt_is_word(p, "import"))
			return 0;
		quoted = p + strlen("import");
		quoted += strspn(quoted, BT_BLANKS);
		if (*quoted != '"')
			return 0;
		end = bt_text_end(quoted);
		if (end - quoted < 3 || end[-1] != '"' || end - quoted > PATH_MAX)
			return WRONG_IN(by, (size_t)(p - text), "a file is imported as import "
					"\"FILE.bt\";");
		text_all(name, sizeof(name), "%.*s", (int)(end - quoted) - 2, quoted + 1);
		end += strspn(end, BT_BLANKS);
		end += *end == ';';
		for (char *at = text + (p - text); at < end; at++)
			*at = *at == '\n' ? '\n' : ' ';
		if (import(in, by, (size_t)(quoted - text), name))
			return -1;
	}
	return -1;
}

/* ---- the text ---- */

/* Each file is read as a whole: a block does not go on in the next one. */
static int check_brackets(const struct importing *in, const struct part *part)
{
	const char *text = part->source.text, *p = text;
	unsigned int depth = 0;

	while (*p) {
		depth += *p == '{';
		depth -= *p == '}' && depth;
		p = *p == '"' ? bt_text_end(p) : p + 1;
	}
	return depth ? WRONG_IN(part, (size_t)(p - text), "'}' is missing: the file ends within a "
				"block") : 0;
}

static int append(struct importing *in, const struct source *s)
{
	const size_t n = strlen(s->raw);
	struct source_file *file = calloc(1, sizeof(*file));
	const struct source_file **end = &in->b->source.files;

	if (!script_keep(&in->b->script, (char *)file))
		return fail(in->err, "out of memory");
	if (n + 1 > BT_SCRIPT_MOST - in->n)
		return fail(in->err, "ERROR: with its imports the script has more than %d "
			    "characters", BT_SCRIPT_MOST);
	while (*end)
		end = (const struct source_file **)(uintptr_t)&(*end)->next;
	*end = file;
	in->n += in->n > 0;		/* the newline before it */
	file->begin = in->n;
	file->name = s->file;
	memcpy(in->text + in->n, s->text, n);
	memcpy(in->raw + in->n, s->raw, n);
	in->n += n;
	return 0;
}

static int read_part(struct importing *in, const struct part *outer, const char *name,
		     const char *text)
{
	struct part part = {
		.outer = outer,
		.source = { .file = name, .language = &bt_language, .raw = text,
			    .text = bt_without_comments(text) },
	};
	int result;

	if (!part.source.text)
		return fail(in->err, "out of memory");
	result = (!bt_is_header(name) && imports_of(in, &part)) ||
		 (outer && check_brackets(in, &part)) || append(in, &part.source) ? -1 : 0;
	free((char *)(uintptr_t)part.source.text);
	return result;
}

int bt_imports(struct bt *b, const char *name, const char *text, struct error *err)
{
	struct importing in = { .b = b, .err = err };
	struct stat st;

	b->source = (struct source){ .file = name, .language = &bt_language, .front = b };
	in.text = script_keep(&b->script, malloc(BT_SCRIPT_MOST + 1));
	in.raw = script_keep(&b->script, malloc(BT_SCRIPT_MOST + 1));
	if (!in.text || !in.raw)
		return fail(err, "out of memory");
	memset(in.text, '\n', BT_SCRIPT_MOST);
	memset(in.raw, '\n', BT_SCRIPT_MOST);
	b->source.text = in.text;
	b->source.raw = in.raw;
	if (!stat(name, &st))
		is_new(&in, &st);
	if (read_part(&in, NULL, name, text))
		return -1;
	in.text[in.n] = in.raw[in.n] = '\0';
	return 0;
}
