/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_BUILTINS_H
#define SONDE_BT_BUILTINS_H

#include "src/bt/bt.h"
#include "src/language/expressions/functions/functions.h"

/*
 * What the language has by name, beside the functions of expressions (bt_functions): tables, whose
 * names are read (syntax/) and whose functions bind what was read. Each ends with an empty row.
 */
struct bt_arguments;
struct syntax;

/* A function that is a statement. */
struct bt_call_row {
	const char *name;
	int (*bind)(struct binder *b, struct bt_statement *s, struct bt_arguments *a);
	int order;			/* enum bt_order_kind of s->order; -1: s has none yet */
};
/* A function that only maps have. */
struct bt_result_row {
	const char *name;
	enum bt_map_kind kind;
};
/* A name that is a value. The functions return 1, or -1 with err set. */
struct bt_name_row {
	const char *name;
	int (*infer)(struct binder *b, struct node *n, const struct bt_name_row *row);
	const char *input;
	uint8_t value;			/* which of the values that infer() makes it is */
	int (*bind)(struct binder *b, struct node *n);	/* in the place of infer() */
};
/* What names take in brackets: nsecs(boot), pid(init). */
struct bt_word_row {
	const char *name, *word;
	int (*bind)(struct binder *b, struct node *n);	/* NULL: as without the word */
};

/* Binds a statement that was read: it becomes one, several or none. */
typedef int bt_bind_fn(struct binder *b, const struct syntax *from, struct bt_statement **to);

/* All tables, and what values and statements become, by enum syntax_value and enum syntax_kind. */
struct bt_builtins {
	const struct bt_call_row *calls;
	const struct bt_result_row *results;
	const struct bt_name_row *names;
	const struct bt_word_row *words;
	const struct function *const *values;
	bt_bind_fn *const *statements;
};

extern const struct bt_call_row bt_calls[];
extern const struct bt_result_row bt_results[];
extern const struct bt_name_row bt_names[];
extern const struct bt_word_row bt_words[];
extern const struct bt_builtins bt_builtins;

#endif
