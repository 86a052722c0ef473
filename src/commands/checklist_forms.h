/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHECKLIST_FORMS_H
#define SONDE_CHECKLIST_FORMS_H

#include <stdbool.h>

#define CHECKS_MOST 10

/*
 * A tool of a checklist. In its options %s is the seconds; %p a part of them, for tools that print
 * several times; %n how many parts.
 */
struct check {
	const char *tool, *options, *what;
	unsigned int lines;		/* of its output that are shown */
	unsigned int heads;		/* of them above the first row; 0: one */
	const char *read, *next;
	/*
	 * For tools with a line an event: the lines that are alike in these columns of CSV are
	 * counted, and the largest `order` or else the most frequent ones are shown (struct most).
	 * The first column is the task's name. NULL: the beginning of the text is shown.
	 */
	const char *by, *order;
	/* would show how the others start: started when they trace */
	bool last;
};

/* A checklist: what `sonde checklist NAME` runs. */
struct checklist {
	const char *name;
	struct check checks[CHECKS_MOST];	/* all in use */
};

/* The first is the usual one; an empty one is the last. */
extern const struct checklist checklists[];

#endif
