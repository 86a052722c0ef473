/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_PREAMBLE_H
#define SONDE_BT_PREAMBLE_H

#include "src/bt/bt.h"
#include "src/language/expressions/parse/parser.h"

/* Letters of a script with all that it imports, and with its macros: places have 16 bits. */
#define BT_SCRIPT_MOST 1048575

/*
 * What is around the probes of a script. Each function reads its part of b->source.text and
 * leaves blanks there, so that all else keeps its place. They return -1 and set err on failure.
 */

/*
 * Makes b->source of the text, called `name`, and of all files that it imports. C declarations of
 * .h files stay where they are.
 */
int bt_imports(struct bt *b, const char *name, const char *text, struct error *err);
/* Returns true for a file of C declarations. */
bool bt_is_header(const char *name);
/*
 * C declarations and directives, which come before all else: they become the script's types.
 * Macros that are numbers, and enumerators, are names of expressions then.
 */
int bt_declarations(struct bt *b, struct error *err);
/* The end of the declarations from p on. Returns NULL and sets err if they are wrong. */
const char *bt_declarations_end(const struct source *s, const char *p, struct error *err);

/*
 * `config = { ... }`, `let @map = hash(N);`, `macro NAME(...) { ... }` and `fn ...`, each an item
 * between probes. Macros and functions stay in the text, which their calls read. Settings of the
 * environment (BPFTRACE_...) come before those of the script.
 */
int bt_items(struct bt *b, struct error *err);
/* Behind the block of the probe that begins at p; behind the macro or function, or p if none is. */
const char *bt_probe_end(const char *p);
const char *bt_macro_end(const char *p);
/*
 * Replaces macros of C's that are no numbers by what they are for. Places in messages stay those of
 * the script.
 */
int bt_expand(struct bt *b, struct error *err);
/* Reads `fn NAME(...) : TYPE { ... }`; the token is its first word. */
int bt_function(struct parser *p);
/* Reads the NAME of a macro or function, or of a parameter, which may have @ or $. */
int bt_macro_name(struct parser *p, char *to, bool parameter);
/* Reads the body, from its { on, of a macro that begins at `begin`, and adds it to the script's. */
int bt_macro_keep(struct parser *p, struct bt_macro *m, size_t begin);
/* Reads `config = { KEY = VALUE; ... }`; the token is its first word. */
int bt_config(struct parser *p);
/* Takes over the settings of the environment. */
int bt_environment(struct bt *b, struct error *err);

#endif
