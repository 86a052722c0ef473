// SPDX-License-Identifier: GPL-2.0
#include "backends/offsets/find.h"

#include <stdlib.h>
#include <string.h>

#include "backends/offsets/find_internal.h"
#include "compat/base/text.h"

int find_add(struct kernel *k, struct tap *t, const char *const functions[], uint32_t size,
	     struct error *err)
{
	while (!kernel_function(k, *functions) && functions[1])
		functions++;
	return tap_add(t, *functions, 1, -1, size, err);
}

int find_keep(struct specimen *s, enum dump dump, const struct memory *m, uint64_t base,
	      struct error *err)
{
	struct memory *kept = &s->dumps[dump];

	if (!m->size)
		return fail(err, "a probed function did not run");
	free(kept->bytes);
	*kept = (struct memory){ base, m->size, malloc(m->size) };
	if (!kept->bytes) {
		kept->size = 0;
		return fail(err, "out of memory");
	}
	memcpy(kept->bytes, m->bytes, m->size);
	return 0;
}

void find_offsets(struct kernel *k, enum object object, struct finding *found)
{
	static const object_fn objects[] = {
		[OBJECT_FILE] = find_file, [OBJECT_LINK] = find_link,
		[OBJECT_SOCKET] = find_socket, [OBJECT_TASK] = find_task,
		[OBJECT_CALL] = find_call,
		[OBJECT_NSPROXY] = find_nsproxy, [OBJECT_PID] = find_pid,
		[OBJECT_CACHE] = find_cache,
	};
	struct specimen samples[2] = { };
	struct error err = { };
	int failed = objects[object](k, samples, &err);

	for (unsigned int i = 0; members[i].path; i++) {
		struct error why = { };

		if (members[i].object != object)
			continue;
		if (!failed)
			found[i].offset = find_member(&members[i], kernel_arch(k), samples, &why);
		text_cut(found[i].reason, sizeof(found[i].reason), "%.*s",
			 (int)strcspn(failed ? err.text : why.text, "\n"),
			 failed ? err.text : why.text);
	}
	for (int i = 0; i < 2; i++)
		for (enum dump d = 0; d < DUMPS; d++)
			free(samples[i].dumps[d].bytes);
}
