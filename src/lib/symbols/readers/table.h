/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_TABLE_H
#define SONDE_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The symbols of one file: sorted, one for each place. Places are positions in the file, or
 * addresses in a process (JIT). A maker collects them in the process that reads the file
 * (compat/user/guard.h), which sends the table to sonde.
 *
 * Of several symbols at one place the table keeps: a function rather than a label, one that other
 * files see rather than a local one, one whose size is known, the one with the fewest underscores
 * in front, the shortest, the first by alphabet.
 */
struct table_symbol {
	uint64_t at;
	uint32_t size:31, unsized:1;	/* unsized: it ends where the next begins */
	uint32_t name;			/* where it begins in the names */
};

struct table {
	struct table_symbol *symbols;
	char *names;			/* each with its NUL */
	uint32_t n;
	uint32_t names_size;
};

#define TABLE_SYMBOLS_MOST (1u << 20)
#define TABLE_NAMES_MOST (64u << 20)	/* bytes */
#define TABLE_WHY 160			/* bytes of a reason */
#define TABLE_NAME_MOST 4096		/* characters; the rest of a longer one is cut */

/*
 * The symbol that the place is in; its name is valid as long as the table is. `caller`: the place
 * is the byte before a return address. Where code keeps no frame pointers such an address may be
 * any word, and often is that of a function: then the place is behind the code of the function
 * before, whose end nobody knows if it has no size.
 */
bool table_find(const struct table *t, uint64_t place, bool caller, const char **name,
		uint64_t *offset);
size_t table_bytes(const struct table *t);
void table_free(struct table *t);

/* ---- making one ---- */

enum table_rank {			/* bits: the larger, the worse */
	TABLE_UNSIZED = 1,		/* it goes on up to the next symbol, or its size */
	TABLE_LOCAL = 2,
	TABLE_LABEL = 4,
};

struct table_maker {
	const uint64_t *wanted;		/* sorted; NULL: all places are */
	uint64_t *nearest;		/* of each: the last symbol that is not behind it */
	size_t n_wanted;
	struct table_row *rows;
	char *names;
	size_t names_size, names_room;
	uint32_t n;
	bool full;			/* there were more than there may be */
};

/*
 * Only these places, sorted, will be asked for: what is found for others may be wrong. They stay
 * the caller's. NULL: any. -1: no memory.
 */
int table_want(struct table_maker *m, const uint64_t *places, size_t n);
/* May a symbol be the name of one of them? Others need not be added. */
bool table_takes(struct table_maker *m, uint64_t at, uint64_t size);
/* Is one of them in this range? */
bool table_wants(const struct table_maker *m, uint64_t from, uint64_t size);
/* What there is no room for is left out. */
void table_add(struct table_maker *m, uint64_t at, uint64_t size, unsigned int rank,
	       const char *name, size_t length);
/*
 * Sends the table by guard_send(), and frees what the maker has. `why`: there may be more symbols
 * that could not be read; "": no. False: it was not sent.
 */
bool table_send(struct table_maker *m, int to, const char *why);
void table_maker_free(struct table_maker *m);

/* ---- receiving it ---- */

struct table_taker {
	struct table table;
	size_t got;			/* bytes, of both parts */
	bool begun, broken;
	char why[TABLE_WHY];
};

/* A message of table_send(). */
void table_take(struct table_taker *t, const void *message, size_t size);
/* All has come: moves the table; false: it has not, and nothing is left. */
bool table_taken(struct table_taker *t, struct table *table);

#endif
