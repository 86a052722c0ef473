/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OWN_TEXTS_H
#define SONDE_OWN_TEXTS_H

#include "src/language/event_text/event_text.h"
#include "src/language/questions/question.h"
#include "src/run/tool.h"

/* The texts of questions on tracepoints that do not say what to show. */
struct own_texts {
	struct run *run;
	struct event_texts *texts;	/* NULL: there are no such questions */
	/* by question, then by the number of the tracepoint; NULL: the question needs none */
	struct event_text ***events;
	unsigned int n;			/* questions */
	bool names;			/* texts have names of functions */
	uint64_t time;			/* of the current record */
};

/* For prepare(). Returns -1 and sets err on failure; own_texts_free() is called in either case. */
int own_texts_make(struct own_texts *o, struct run *run, const struct question *list,
		   unsigned int n, struct error *err);
/* For started(): prints whose fields are shown and why; with -v, which fields there are. */
void own_texts_started(const struct own_texts *o, const struct question *list);
/* The text of a record that came through a map with `.whole`. */
struct text own_text(struct own_texts *o, const struct question *q, const struct record *record);
void own_texts_free(struct own_texts *o);

#endif
