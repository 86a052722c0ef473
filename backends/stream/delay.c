// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/delay.h"

static void stopped_for(struct delay *d, uint64_t ns)
{
	const uint64_t wanted = ns < DELAY_MOST_NS / 2 ? 2 * ns : DELAY_MOST_NS;

	if (wanted > d->ns)
		d->ns = wanted;
}

void delay_saw(struct delay *d, uint64_t began, uint64_t now, uint64_t expected)
{
	if (now > began && now - began > expected)
		stopped_for(d, now - began - expected);
}

void delay_missed(struct delay *d, uint64_t ns)
{
	stopped_for(d, ns < DELAY_MOST_NS ? d->ns + ns : DELAY_MOST_NS);
}
