// SPDX-License-Identifier: GPL-2.0
#include "compat/kinds/find.h"

#include <assert.h>

#define DECLARE_TRAITS(KIND, NAME) extern const struct event_traits NAME##_traits;
EVENT_KINDS(DECLARE_TRAITS)
#define DECLARE_FINDER(KIND, NAME) extern const struct probe_finder NAME##_finder;
PROBE_KINDS(DECLARE_FINDER)

const struct event_traits *event_traits(enum event_kind kind)
{
#define TRAITS(KIND, NAME) [EVENT_##KIND] = &NAME##_traits,
	static const struct event_traits *const traits[] = { EVENT_KINDS(TRAITS) };

	assert(kind < sizeof(traits) / sizeof(traits[0]) && traits[kind]);
	return traits[kind];
}

const char *event_kind_risk(struct kernel *k, enum event_kind kind)
{
	const struct event_traits *t = event_traits(kind);

	return t->risk ? t->risk(k) : NULL;
}

const struct probe_finder *probe_finder(const struct probe *p)
{
#define FINDER(KIND, NAME) [PROBE_##KIND] = &NAME##_finder,
	static const struct probe_finder *const finders[] = { PROBE_KINDS(FINDER) };

	return finders[p->kind];
}
