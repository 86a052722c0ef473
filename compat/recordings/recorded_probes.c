// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/recorded_probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/recordings/recorded_side.h"
#include "compat/recordings/swaps.h"

static const char *const kinds[N_EVENT_KINDS] = {
	[EVENT_KPROBE] = "kprobe", [EVENT_KRETPROBE] = "kretprobe", [EVENT_UPROBE] = "uprobe",
	[EVENT_URETPROBE] = "uretprobe", [EVENT_USDT] = "usdt",
};

const char *recorded_kind(enum event_kind kind)
{
	return kinds[kind];
}

void recorded_binary_file(unsigned int number, char *to, size_t size)
{
	text_all(to, size, "recorded/%u", number);
}

void recorded_word(struct strbuf *to, const char *word, char end)
{
	for (; *word; word++) {
		const unsigned char c = (unsigned char)*word;

		if (c <= ' ' || c == '%' || c >= 127)
			strbuf_addf(to, "%%%02x", c);
		else
			strbuf_add(to, word, 1);
	}
	strbuf_add(to, &end, 1);
}

const struct recorded_probe *recorded_probes(const struct recording *r, unsigned int *n)
{
	*n = r->side ? r->side->n_probes : 0;
	return r->side ? r->side->probes : NULL;
}

const struct recorded_binary *recorded_binaries(const struct recording *r, unsigned int *n)
{
	*n = r->side ? r->side->n_binaries : 0;
	return r->side ? r->side->binaries : NULL;
}

const struct recorded_place *recorded_places(const struct recording *r, unsigned int *n)
{
	*n = r->side ? r->side->n_places : 0;
	return r->side ? r->side->places : NULL;
}

const struct recorded_disk *recorded_disk(const struct recording *r, uint64_t number,
					  const char *name)
{
	const struct recorded_side *side = r->side;

	for (unsigned int i = 0; side && i < side->n_disks; i++)
		if (name ? !strcmp(side->disks[i].name, name) : side->disks[i].number == number)
			return &side->disks[i];
	return NULL;
}

static bool is_at(const struct recorded_probe *p, const char *file)
{
	char own[32];

	if (p->binary < 0)
		return !file;
	recorded_binary_file((unsigned int)p->binary, own, sizeof(own));
	return file && !strcmp(own, file);
}

const struct recorded_probe *recorded_probe_of(const struct recording *r, const struct event *e,
					       const char *file, bool grouped)
{
	const char *fetch = e->layout->fetch ? e->layout->fetch : "";
	const struct recorded_side *side = r->side;

	for (unsigned int i = 0; side && i < side->n_probes; i++) {
		const struct recorded_probe *p = &side->probes[i];

		if (p->number >= 0 && p->kind == e->kind && p->address == e->address &&
		    (!grouped || p->group == e->group) && is_at(p, file) &&
		    !strcmp(p->fetch, fetch) && (file || !strcmp(p->function, e->name)))
			return p;
	}
	return NULL;
}

void recorded_bytes(struct recording *r, const struct recorded_probe *p, uint32_t offset,
		    uint32_t size)
{
	if (p->number >= 0)
		swaps_keep(r, (uint32_t)p->number, offset, size);
}

void recorded_probes_free(struct recording *r)
{
	if (!r->side)
		return;
	free(r->side->text);
	free(r->side->probes);
	free(r->side->functions);
	free(r->side->binaries);
	free(r->side->places);
	free(r->side->disks);
	free(r->side);
	r->side = NULL;
}
