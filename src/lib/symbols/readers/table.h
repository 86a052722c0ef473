/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYMBOL_TABLE_H
#define SONDE_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The symbols of one file: sorted, one for each place. Places are positions in the file, or
 * addresses in a process (JIT). A process of its own reads the file (compat/user/guard.h), collects
 * the symbols in a maker, and sends the table to sonde.
 *
 * If several symbols have one place, the table keeps the first by these rules: functions before
 * labels, global before local, known size before unknown, fewer leading underscores, shorter, by
 * alphabet.
 */
struct table_symbol {
	uint64_t at;
	uint32_t size:31, unsized:1;	/* unsized: it ends where the next symbol begins */
	uint32_t name;			/* where its name begins in table.names */
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
#define TABLE_NAME_MOST 4096		/* characters; longer names are cut */

/*
 * Finds the symbol that a place is in. The name is valid as long as the table. `caller`: the place
 * is the byte before a return address. In code without frame pointers such an address may be any
 * word, often the address of a function; then the place is behind the end of the function before
 * it. So with `caller` a symbol without a size is not used if the place is its last byte and the
 * next one is at a multiple of 16. Returns false if there is no symbol.
 */
bool table_find(const struct table *t, uint64_t place, bool caller, const char **name,
		uint64_t *offset);
/* The memory that the table takes. */
size_t table_bytes(const struct table *t);
void table_free(struct table *t);

/* ---- making a table ---- */

enum table_rank {			/* bits; the symbol with the smallest sum is kept */
	TABLE_UNSIZED = 1,		/* its size is unknown: it ends where the next one begins */
	TABLE_LOCAL = 2,
	TABLE_LABEL = 4,
};

struct table_maker {
	const uint64_t *wanted;		/* places to look up, sorted; NULL: all */
	uint64_t *nearest;		/* for each: the last symbol at or before it, so far */
	size_t n_wanted;
	struct table_row *rows;
	char *names;
	size_t names_size, names_room;	/* bytes: used, allocated */
	uint32_t n;
	bool full;			/* some symbols had no room */
};

/*
 * Only these places, sorted, will be looked up; at other places the table may be wrong. The caller
 * owns them, and they must stay. NULL: any places. Returns -1 if there is no memory.
 */
int table_want(struct table_maker *m, const uint64_t *places, size_t n);
/* Returns true if a symbol may be the name of a wanted place. Others need not be added. */
bool table_takes(struct table_maker *m, uint64_t at, uint64_t size);
/* Returns true if a wanted place is in this range. */
bool table_wants(const struct table_maker *m, uint64_t from, uint64_t size);
/* Adds a symbol. If there is no room, it is left out and m->full is set. */
void table_add(struct table_maker *m, uint64_t at, uint64_t size, unsigned int rank,
	       const char *name, size_t length);
/*
 * Sends the table by guard_send(), and frees the maker's memory. `why`: why symbols may be missing,
 * or no text. Returns false if it was not sent.
 */
bool table_send(struct table_maker *m, int to, const struct error *why);
void table_maker_free(struct table_maker *m);

/* ---- receiving a table ---- */

struct table_taker {
	struct table table;
	size_t got;			/* bytes received, of symbols and names */
	bool begun, broken;
	struct error why;
};

/* Takes a message of table_send(). */
void table_take(struct table_taker *t, const void *message, size_t size);
/* Moves the table to *table. Returns false and frees it if not all of it was received. */
bool table_taken(struct table_taker *t, struct table *table);

#endif
