/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ROLES_H
#define SONDE_ROLES_H

#include <stdbool.h>

struct column;

/*
 * What a column is to a reader that knows no tool, so that it can count, add up or group what any
 * tool shows. Most columns say it by their names, which have units ("lat_ms"), or by their types; a
 * row of struct column says only what name and type don't.
 */
enum column_role {
	IS_NAMED,		/* as name, unit and type say */
	IS_IDENTITY,		/* tells the row apart: a process, a device, an address, a port */
	IS_LABEL,		/* describes it: a text, or a number that is no quantity */
	IS_COUNT,		/* how many */
	IS_VALUE,		/* a quantity in the column's unit */
	IS_TIME,		/* a time of day, or since a beginning in the column's unit */
	COLUMN_ROLES
};

enum column_unit {
	IN_NAMED,		/* as the name says */
	IN_NS, IN_US, IN_MS, IN_S,
	IN_BYTES, IN_KB, IN_MB, IN_SECTORS, IN_PAGES,
	IN_PERCENT, IN_RATIO,
	IN_PER_S, IN_KB_PER_S,
	IN_ANY,			/* the user's expression, or another column, says it */
	COLUMN_UNITS
};

/*
 * What a column is to a reader with a time axis. The row's time is that of the record, which a
 * column `time` or `time_s` shows.
 */
enum column_span {
	SPAN_NONE,
	SPAN_LENGTH,		/* how long it took; the row's time is when it ended */
	SPAN_LENGTH_FROM,	/* the same; the row's time is when it began */
	SPAN_PART,		/* a part of that time, or one before: no span of its own */
	SPAN_NAME,		/* what took that long */
	SPAN_TRACK,		/* to what it belongs, rather than to a task */
};

/* The role; IS_NAMED: nothing says it. */
enum column_role column_role(const struct column *c);
/* The unit of a value or a time; IN_NAMED: it has none. */
enum column_unit column_unit(const struct column *c);
/*
 * Can the values of rows be added up? Not if a value is a mean, a limit, or `level` of struct
 * column.
 */
bool column_adds(const struct column *c);
/* Does the head of the column show its unit, as "LAT(ms)", or has it none? */
bool column_shows_unit(const struct column *c);
/* Does the column have a role, and a unit if it is a number that needs one? */
bool column_is_told(const struct column *c);

/* "value", "KB/s". A unit that is none is NULL. */
const char *role_text(enum column_role role);
const char *unit_text(enum column_unit unit);

#endif
