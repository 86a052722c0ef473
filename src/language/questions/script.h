/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_SCRIPT_H
#define SONDE_LANG_SCRIPT_H

#include "src/language/questions/probe.h"
#include "src/language/questions/statement.h"

/*
 * A script: probes, each with a predicate and statements, and the maps of the statements, which
 * probes may share. A front end parses its own grammar and builds a script. The script makes the
 * programs, and owns all their memory:
 *
 *	script_begin()		sets the types that expressions may name
 *	script_probe()		adds a probe; probe_find() and the binder fill it
 *	script_statement()	adds a statement to a probe
 *	script_map()		adds a map for a statement
 *	script_compile()	makes the instructions of a probe
 *	script_add()		makes its hook, and its row of the program set
 */
struct script_probe {
	struct lang_probe probe;
	char hook[16];			/* name of its hook */
	struct node *predicate;		/* if it is 0 no statement runs; NULL: always run */
	struct statement *statements;	/* in their order */
	/*
	 * Adds the instructions before the predicate, which filter tasks: they jump to "out" if the
	 * event is not wanted. `arg` is the front end's.
	 */
	void (*begin)(struct code *c, int bottom, void *arg);
	/* Adds instructions of the front end's own behind the statements; NULL: there are none. */
	void (*body)(struct code *c, void *arg);
	void *arg;
	unsigned int reserved;		/* bytes at the top of the stack that begin() uses */
	struct code code;
	struct script_probe *next;
};

struct script {
	struct kernel *kernel;
	struct types *types;
	const struct function *const *functions;	/* of its expressions, see struct tree */
	const char *file;		/* source of sequences, for comments of --dump */
	unsigned int text_size;		/* bytes to read of a text */
	bool binary;			/* STRCMP compares bytes */
	bool may_be_long;		/* its programs, where the kernel takes long ones */
	struct script_probe *probes;
	struct program *programs;
	struct map *maps;
	unsigned int n_programs, n_maps;
	struct program_set set;
	char **kept;			/* texts of script_keep() */
	unsigned int n_kept;
};
/*
 * `include` and `btf` are the files of -I and --btf, one a line; NULL: none. Returns -1 and sets
 * err if a file can't be read; script_free() is called in either case.
 */
int script_begin(struct script *s, struct kernel *k, const char *include, const char *btf,
		 struct error *err);
void script_free(struct script *s);

/* Takes ownership of a text from malloc(). Returns the text, or NULL if there is no memory. */
char *script_keep(struct script *s, char *text);

/*
 * Adds a probe with an empty tree for `text`; its hook will be called `hook`. Returns NULL if there
 * is no memory.
 */
struct script_probe *script_probe(struct script *s, const char *text, const char *hook);

/*
 * Adds a copy of the statement behind the probe's other ones, and sets the offsets of its values.
 * The values must stay until script_compile(). Returns NULL if there is no memory.
 */
struct statement *script_statement(const struct script *s, struct script_probe *p,
				   const struct statement *statement);
/* Removes the last statement. */
void script_drop_statement(struct script_probe *p);

/*
 * Adds a copy of the map; its name must stay as long as the script. Returns -1 if there is no
 * memory.
 */
int script_map(struct script *s, const struct map *m);

/*
 * Makes the probe's instructions: `begin`, the predicate, the statements; replaces those of an
 * earlier call. Sets p->code.full if they need too much stack. Returns -1 if there is no memory.
 */
int script_compile(const struct script *s, struct script_probe *p);

/* Makes the probe's hook and adds its program to the set. Returns -1 if there is no memory. */
int script_add(struct script *s, struct script_probe *p);

#endif
