// SPDX-License-Identifier: GPL-2.0
#include "src/run/run_listener.h"

#include <stddef.h>

#include "src/run/run.h"

/* Listener number i; NULL: there are no more. */
static const struct run_listener *listener_at(const struct run *r, unsigned int i)
{
	return r->listeners.list ? r->listeners.list[i] : NULL;
}

/* The first listener from number *i on that has a state, *i becomes its number; NULL: none has. */
static const struct run_listener *listener(const struct run *r, unsigned int *i)
{
	while (listener_at(r, *i) && !r->listeners.states[*i])
		++*i;
	return listener_at(r, *i);
}

void *run_listener_state(const struct run *r, const struct run_listener *l)
{
	for (unsigned int i = 0; listener_at(r, i); i++)
		if (listener_at(r, i) == l)
			return r->listeners.states[i];
	return NULL;
}

void run_listeners_request(const struct run *r, struct plan_request *request)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener_at(r, i)); i++)
		if (l->request)
			l->request(r, request);
}

int run_listeners_open(struct run *r, struct error *err)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener_at(r, i)); i++)
		if (l->open && l->open(r, &r->listeners.states[i], err))
			return -1;
	return 0;
}

int run_listeners_attach(struct run *r, struct error *err)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener_at(r, i)); i++)
		if (l->attach && l->attach(r, &r->listeners.states[i], err))
			return -1;
	return 0;
}

int64_t run_listeners_every(const struct run *r, int64_t ns)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->every)
			ns = l->every(r, ns);
	return ns;
}

void run_listeners_begin(struct run *r)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->begin)
			l->begin(r);
}

int run_listeners_poll(struct run *r, struct error *err)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->poll && l->poll(r, err))
			return -1;
	return 0;
}

int run_listeners_interval(struct run *r, struct error *err)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->interval && l->interval(r, err))
			return -1;
	return 0;
}

int run_listeners_renew(struct run *r, bool taken, struct error *err)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->renew && l->renew(r, taken, err))
			return -1;
	return 0;
}

int run_listeners_end(struct run *r, struct error *err)
{
	const struct run_listener *l;
	int result = 0;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->end && l->end(r, err))
			result = -1;
	return result;
}

void run_listeners_losses(const struct run *r, struct output_end *end)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->losses)
			l->losses(r, end);
}

void run_listeners_report(struct run *r)
{
	const struct run_listener *l;

	for (unsigned int i = 0; (l = listener(r, &i)); i++)
		if (l->report)
			l->report(r);
}

void run_listeners_free(struct run_listeners *listeners)
{
	for (unsigned int i = 0; listeners->list && listeners->list[i]; i++)
		if (listeners->states[i] && listeners->list[i]->free)
			listeners->list[i]->free(listeners->states[i]);
}
