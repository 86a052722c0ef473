/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BUILD_EVENT_H
#define SONDE_BUILD_EVENT_H

#include "compat/user/binaries.h"
#include "compat/resolve/resolve.h"

bool probe_is_user(const struct probe *p);
/*
 * The places of a probe of user space; -1 and the reason if there is none, or if this kernel can't
 * probe it.
 */
int probe_places(struct kernel *k, enum target target, const struct probe *p,
		 const struct demand *d,
		 const struct place **places, struct error *err);

/*
 * Makes the event(s) of one probe of an alternative with the inputs a demand wants: parts first,
 * the main event last. Of a probe of user space they are those of one place; of others it is NULL.
 * Their layouts are put among `layouts`. The number of events, which the caller frees with free(),
 * or -1 with the reason.
 */
int build_events(struct kernel *k, enum target target, const struct alternative *a,
		 const struct probe *p,
		 const struct demand *d, const struct place *place, struct layouts *layouts,
		 struct event **events,
		 unsigned int max, struct error *err);

/* Is there a function of this system call? */
bool kernel_has_syscall(struct kernel *k, const char *name);

/* Does this kernel run 32-bit tasks beside 64-bit ones? */
bool kernel_has_compat_tasks(struct kernel *k);

#endif
