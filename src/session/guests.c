// SPDX-License-Identifier: GPL-2.0
#include "src/session/guests.h"

#include <stddef.h>

#include "src/run.h"
#include "src/stacks/graph.h"
#include "src/stacks/hottest.h"
#include "src/stacks/stacks.h"
#include "src/toolkit/heat.h"

/* The stacks come first: others show what they have. */
const struct guest *const guests[GUESTS] = {
	&stacks_guest, &heat_guest, &hottest_guest, &graph_guest,
};

int guests_open(struct run *r, struct error *err)
{
	for (int i = 0; i < GUESTS; i++)
		if (guests[i]->open && guests[i]->open(r, &r->guests[i], err))
			return -1;
	return 0;
}

int guests_attach(struct run *r, struct error *err)
{
	for (int i = 0; i < GUESTS; i++)
		if (guests[i]->attach && guests[i]->attach(r, &r->guests[i], err))
			return -1;
	return 0;
}

int64_t guests_every(const struct run *r, int64_t ns)
{
	for (int i = 0; i < GUESTS; i++)
		if (r->guests[i] && guests[i]->every)
			ns = guests[i]->every(r, ns);
	return ns;
}

void guests_begin(struct run *r)
{
	for (int i = 0; i < GUESTS; i++)
		if (r->guests[i] && guests[i]->begin)
			guests[i]->begin(r);
}

int guests_poll(struct run *r, struct error *err)
{
	for (int i = 0; i < GUESTS; i++)
		if (r->guests[i] && guests[i]->poll && guests[i]->poll(r, err))
			return -1;
	return 0;
}

int guests_interval(struct run *r, struct error *err)
{
	for (int i = 0; i < GUESTS; i++)
		if (r->guests[i] && guests[i]->interval && guests[i]->interval(r, err))
			return -1;
	return 0;
}

int guests_renew(struct run *r, bool taken, struct error *err)
{
	for (int i = 0; i < GUESTS; i++)
		if (r->guests[i] && guests[i]->renew && guests[i]->renew(r, taken, err))
			return -1;
	return 0;
}

int guests_end(struct run *r, struct error *err)
{
	int result = 0;

	for (int i = 0; i < GUESTS; i++)
		if (r->guests[i] && guests[i]->end && guests[i]->end(r, err))
			result = -1;
	return result;
}

void guests_report(struct run *r)
{
	for (int i = 0; i < GUESTS; i++)
		if (r->guests[i] && guests[i]->report)
			guests[i]->report(r);
}
