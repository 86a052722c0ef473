// SPDX-License-Identifier: GPL-2.0
#include "src/run/guest.h"

#include <stddef.h>

#include "src/run/run.h"

/* Guest number i; NULL: there are no more. */
static const struct guest *guest_at(const struct run *r, unsigned int i)
{
	return r->guests.list ? r->guests.list[i] : NULL;
}

/* The first guest from number *i on that has a state, *i becomes its number; NULL: none has. */
static const struct guest *listener(const struct run *r, unsigned int *i)
{
	while (guest_at(r, *i) && !r->guests.states[*i])
		++*i;
	return guest_at(r, *i);
}

void *run_guest(const struct run *r, const struct guest *g)
{
	for (unsigned int i = 0; guest_at(r, i); i++)
		if (guest_at(r, i) == g)
			return r->guests.states[i];
	return NULL;
}

void guests_request(const struct run *r, struct plan_request *request)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = guest_at(r, i)); i++)
		if (g->request)
			g->request(r, request);
}

int guests_open(struct run *r, struct error *err)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = guest_at(r, i)); i++)
		if (g->open && g->open(r, &r->guests.states[i], err))
			return -1;
	return 0;
}

int guests_attach(struct run *r, struct error *err)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = guest_at(r, i)); i++)
		if (g->attach && g->attach(r, &r->guests.states[i], err))
			return -1;
	return 0;
}

int64_t guests_every(const struct run *r, int64_t ns)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->every)
			ns = g->every(r, ns);
	return ns;
}

void guests_begin(struct run *r)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->begin)
			g->begin(r);
}

int guests_poll(struct run *r, struct error *err)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->poll && g->poll(r, err))
			return -1;
	return 0;
}

int guests_interval(struct run *r, struct error *err)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->interval && g->interval(r, err))
			return -1;
	return 0;
}

int guests_renew(struct run *r, bool taken, struct error *err)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->renew && g->renew(r, taken, err))
			return -1;
	return 0;
}

int guests_end(struct run *r, struct error *err)
{
	const struct guest *g;
	int result = 0;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->end && g->end(r, err))
			result = -1;
	return result;
}

void guests_losses(const struct run *r, struct output_end *end)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->losses)
			g->losses(r, end);
}

void guests_report(struct run *r)
{
	const struct guest *g;

	for (unsigned int i = 0; (g = listener(r, &i)); i++)
		if (g->report)
			g->report(r);
}

void guests_free(struct guests *guests)
{
	for (unsigned int i = 0; guests->list && guests->list[i]; i++)
		if (guests->states[i])
			guests->list[i]->free(guests->states[i]);
}
