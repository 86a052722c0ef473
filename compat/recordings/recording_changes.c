// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/recording_changes.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/recordings/recording_internal.h"

#define DROPPED_LEAST 1024

struct named_id {
	bool known, several;
	uint8_t build_id[BUILD_ID];
};

void recording_follow(struct recording *r)
{
	r->changes.wanted = true;
}

void recording_free_changes(struct recording *r)
{
	hash_clear(&r->changes.texts);
	hash_clear(&r->build_ids);
	free(r->changes.list);
}

/* Each text is kept once: there are many mappings of few files. */
static const char *keep_text(struct recorded_changes *c, const char *text)
{
	bool *kept;

	c->texts.value_size = sizeof(*kept);
	kept = hash_add(&c->texts, text, strlen(text) + 1);
	return kept ? hash_key(&c->texts, kept) : NULL;
}

/* What was handed out goes, once it is most of all. */
static void drop_taken(struct recorded_changes *c)
{
	if (c->taken < DROPPED_LEAST || c->taken < c->n / 2)
		return;
	memmove(c->list, c->list + c->taken, (c->n - c->taken) * sizeof(*c->list));
	c->n -= c->taken;
	c->sorted -= c->taken;
	c->taken = 0;
}

int recording_add_change(struct recording *r, const struct recorded_change *change)
{
	struct recorded_changes *c = &r->changes;
	struct recorded_change *to;

	drop_taken(c);
	if (array_room(&c->list, c->n, sizeof(*c->list)))
		return -1;
	to = &c->list[c->n];
	*to = *change;
	to->order = c->order++;
	if (change->text) {
		to->text = keep_text(c, change->text);
		if (!to->text)
			return -1;
	}
	c->n++;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct recorded_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

const struct recorded_change *recording_change(struct recording *r, uint64_t until)
{
	struct recorded_changes *c = &r->changes;

	/* Nothing that was handed out is later than what was read since. */
	if (c->sorted < c->n)
		qsort(c->list + c->taken, c->n - c->taken, sizeof(*c->list), by_time);
	c->sorted = c->n;
	return c->taken < c->n && c->list[c->taken].time <= until ? &c->list[c->taken++] : NULL;
}

const char *recording_changes_lack(const struct recording *r)
{
	if (r->changes.untimed)
		return "the recording does not tell when processes mapped files";
	if (r->changes.lost)
		return "records were lost, and mappings of files may be among them: functions of "
		       "user space may have wrong names after that";
	return NULL;
}

int recording_add_build_id(struct recording *r, const char *path, const uint8_t *id, size_t size)
{
	uint8_t whole[BUILD_ID] = { };
	struct named_id *named;

	if (!size || size > BUILD_ID)
		return 0;
	memcpy(whole, id, size);
	r->build_ids.value_size = sizeof(*named);
	named = hash_add(&r->build_ids, path, strlen(path));
	if (!named)
		return -1;
	named->several |= named->known && memcmp(named->build_id, whole, sizeof(whole));
	memcpy(named->build_id, whole, sizeof(whole));
	named->known = true;
	return 0;
}

const uint8_t *recording_build_id(const struct recording *r, const char *path)
{
	const struct named_id *named = hash_find(&r->build_ids, path, strlen(path));

	return named && !named->several ? named->build_id : NULL;
}
