/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SUBNETS_H
#define SONDE_SUBNETS_H

#include <stdbool.h>
#include <stddef.h>

#include "compat/base/error.h"
#include "src/lib/output/output.h"

/* Networks as users write them: "10.0.0.0/8,2001:db8::/32,192.0.2.7". */
struct subnet {
	char text[64];			/* as it was written */
	unsigned int family;
	unsigned int bits;		/* of the address that count */
	unsigned char address[16];
};

struct subnets {
	struct subnet *list;
	size_t n;
};

/* Reads a list. Returns -1 and sets err if a network is invalid, or if there is no memory. */
int subnets_parse(struct subnets *s, const char *list, struct error *err);
/*
 * Returns the index of the first network that has the address, or -1. An address of IPv4 on a
 * socket of IPv6 (::ffff:192.0.2.1) is one of IPv4.
 */
int subnets_find(const struct subnets *s, const struct address *a);
void subnets_free(struct subnets *s);

#endif
