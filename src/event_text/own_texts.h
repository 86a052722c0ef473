/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OWN_TEXTS_H
#define SONDE_OWN_TEXTS_H

#include "src/event_text/event_text.h"
#include "src/lang/question.h"
#include "src/tool.h"

/* The texts of those questions that are on tracepoints and say nothing of what is to be shown. */
struct own_texts {
	struct run *run;
	struct event_texts *texts;	/* NULL: no question has them */
	struct event_text ***events;	/* by question, by the number of what was hit; or NULL */
	unsigned int n;
	bool names;			/* of functions are shown */
	uint64_t time;			/* of the record */
};

/* For prepare(). -1 and err; own_texts_free() in either case. */
int own_texts_make(struct own_texts *o, struct run *run, const struct question *list,
		   unsigned int n, struct error *err);
/* For started(): says whose fields are shown and why; with -v what fields there are. */
void own_texts_started(const struct own_texts *o, const struct question *list);
/* Of a record that came through a map with `.whole`. */
struct text own_text(struct own_texts *o, const struct question *q, const struct record *record);
void own_texts_free(struct own_texts *o);

#endif
