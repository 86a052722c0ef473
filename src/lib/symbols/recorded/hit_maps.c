// SPDX-License-Identifier: GPL-2.0
/* What processes have mapped when a recording begins. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/lib/symbols/files.h"
#include "src/lib/symbols/maps.h"
#include "src/lib/symbols/recorded/hits.h"

/* Memory without a file that has a name of its own. */
static const char *const unfiled[] = { "", "[vdso]", "[vsyscall]", "[uprobes]", "[vectors]" };

struct mapped {
	uint32_t pid, file;		/* of files_number() */
	uint64_t start, end, offset;
	struct file_key key;
	unsigned int name;		/* of `unfiled`; 0: the file's, or none */
};

struct seen {
	struct files *files;
	struct mapped *list;
	size_t n;
	bool full;
};

static void see(void *arg, const struct maps_line *line)
{
	const struct file_mapped by = { line->pid, line->start, line->end };
	struct seen *s = arg;
	struct mapped *m;

	s->full |= array_room(&s->list, s->n, sizeof(*s->list)) != 0;
	if (s->full)
		return;
	m = &s->list[s->n++];
	*m = (struct mapped){
		.pid = line->pid, .start = line->start, .end = line->end, .offset = line->offset,
		.key = line->key, .file = files_number(s->files, &line->key, line->path, &by),
	};
	for (unsigned int i = 1; i < sizeof(unfiled) / sizeof(unfiled[0]); i++)
		if (!strcmp(line->path, unfiled[i]))
			m->name = i;
}

static void tell(const struct seen *s, const struct mapped *m,
		 void (*each)(void *arg, const struct perf_written_mapping *m), void *arg)
{
	const char *path = files_path(s->files, m->file);

	each(arg, &(struct perf_written_mapping){
		.pid = m->pid, .start = m->start, .end = m->end, .offset = m->offset,
		.major = m->key.major, .minor = m->key.minor, .inode = m->key.inode,
		.build_id = files_build_id(s->files, m->file),
		.path = path ? path : m->name ? unfiled[m->name] : "//anon",
	});
}

int hits_mappings(const volatile sig_atomic_t *stop,
		  void (*each)(void *arg, const struct perf_written_mapping *m), void *arg,
		  struct error *err)
{
	struct seen s = { .files = files_new(true, stop) };
	struct lacks lacks = { };
	int result = 0;

	if (!s.files)
		return fail(err, "out of memory");
	files_identify(s.files);
	maps_read(NULL, 0, stop, see, &s, &lacks);
	files_open(s.files);
	if (s.full)
		result = fail(err, "out of memory");
	for (size_t i = 0; i < s.n && !result; i++)
		tell(&s, &s.list[i], each, arg);
	lacks_free(&lacks);
	files_free(s.files);
	free(s.list);
	return result;
}
