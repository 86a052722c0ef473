/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GUESTS_H
#define SONDE_GUESTS_H

#include "src/guest.h"

/* Each calls that function of all guests that listen (struct guest says when). */

/* An error ends it. */
int guests_open(struct run *r, struct error *err);
int guests_attach(struct run *r, struct error *err);
int64_t guests_every(const struct run *r, int64_t ns);
void guests_begin(struct run *r);
int guests_poll(struct run *r, struct error *err);
int guests_interval(struct run *r, struct error *err);
int guests_renew(struct run *r, bool taken, struct error *err);
/* All are called, also after an error. */
int guests_end(struct run *r, struct error *err);
void guests_report(struct run *r);

#endif
