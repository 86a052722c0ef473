/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROBE_ORDER_H
#define SONDE_PROBE_ORDER_H

#include "backends/backend.h"

/*
 * The order in which the plan's probes must be made: `order` gets the numbers of all attachments.
 * Parts must run before their main event. Probes of one function run in the opposite order of their
 * making for kprobes, uprobes and uretprobes (the kernel puts each new one first in its list), and
 * in the same order for kretprobes. A uprobe is put there only when its event is first opened or
 * enabled: engines do that in this order too.
 */
void stream_probe_order(const struct plan *plan, unsigned int *order);

#endif
