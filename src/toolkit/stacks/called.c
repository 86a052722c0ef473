// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/called.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

struct called_process {
	struct called_process *next;
	uint32_t pid;
	char name[16];
};

/* The link to a process, or the NULL link at the end of its bucket. */
static struct called_process **find(const struct called *c, uint32_t pid)
{
	struct called_process **at = &c->buckets[pid % BUCKETS];

	while (*at && (*at)->pid != pid)
		at = &(*at)->next;
	return at;
}

static void forget(struct called *c, struct called_process **at)
{
	struct called_process *p = *at;

	*at = p->next;
	free(p);
	c->n--;
}

void called_all(struct called *c, uint32_t pid, const char *name)
{
	struct called_process **at;

	if (!c->buckets)
		c->buckets = calloc(BUCKETS, sizeof(struct called_process *));
	if (!c->buckets)
		return;
	at = find(c, pid);
	if (*at)
		forget(c, at);
	at = &c->buckets[pid % BUCKETS];
	if (*name && c->n < CALLED_MOST) {
		struct called_process *p = malloc(sizeof(*p));

		if (!p)
			return;
		p->next = *at;
		p->pid = pid;
		snprintf(p->name, sizeof(p->name), "%s", name);
		*at = p;
		c->n++;
	}
}

void called_one(struct called *c, uint32_t pid, const char *name)
{
	struct called_process **at = c->buckets ? find(c, pid) : NULL;

	if (at && *at && strncmp((*at)->name, name, sizeof((*at)->name) - 1))
		forget(c, at);
}

const char *called_name(const struct called *c, uint32_t pid)
{
	const struct called_process *p = c->buckets ? *find(c, pid) : NULL;

	return p ? p->name : "";
}

void called_free(struct called *c)
{
	for (unsigned int i = 0; c->buckets && i < BUCKETS; i++)
		while (c->buckets[i])
			forget(c, &c->buckets[i]);
	free(c->buckets);
	*c = (struct called){ 0 };
}
