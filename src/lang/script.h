/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_SCRIPT_H
#define SONDE_LANG_SCRIPT_H

#include "src/lang/probe.h"
#include "src/lang/statement.h"

/*
 * A script: probes, each with a predicate and statements, and the maps that the statements use,
 * which probes may share. A front end reads its own grammar and builds a script of it; the script
 * makes the programs, and owns all memory of them:
 *
 *	script_begin()		the types that expressions may name
 *	script_probe()		a probe; probe_find() and the binder fill it
 *	script_statement()	a statement of a probe, behind those that it has
 *	script_map()		a map of a statement
 *	script_compile()	the instructions of a probe
 *	script_add()		its hook, and its row of the program set
 */
struct script_probe {
	struct lang_probe probe;
	char hook[16];			/* its name */
	struct node *predicate;		/* the statements run where it is not 0; NULL: always */
	struct statement *statements;	/* in their order */
	/*
	 * Adds the instructions before the predicate: which tasks are wanted. They jump to "out"
	 * where the event is not. `arg` is the front end's.
	 */
	void (*begin)(struct code *c, int bottom, void *arg);
	void *arg;
	unsigned int reserved;		/* bytes at the top of the stack that `begin` uses */
	struct code code;
	struct script_probe *next;
};

struct script {
	struct kernel *kernel;
	struct types *types;
	const struct function *const *functions;	/* of its expressions, see struct tree */
	const char *file;		/* source of the sequences, for comments of --dump */
	unsigned int text_size;		/* bytes of a text that are wanted */
	bool binary;			/* STRCMP compares bytes */
	bool in_cgroup;			/* programs ask for the task's cgroup */
	struct script_probe *probes;
	struct program *programs;
	struct map *maps;
	unsigned int n_programs, n_maps;
	struct program_set set;
	char **kept;			/* texts that the rest points into */
	unsigned int n_kept;
};

/*
 * `include` and `btf` are the files of -I and --btf, a line each, or NULL. Returns -1 and sets err
 * if one can't be read. The caller calls script_free() in either case.
 */
int script_begin(struct script *s, struct kernel *k, const char *include, const char *btf,
		 struct error *err);
void script_free(struct script *s);

/* Takes over the text, which calloc() made; returns it, or NULL if out of memory. */
char *script_keep(struct script *s, char *text);

/* A probe whose hook will be called `hook`, with an empty tree for `text`. NULL: out of memory. */
struct script_probe *script_probe(struct script *s, const char *text, const char *hook);

/*
 * Adds a copy of the statement behind those that the probe has, and says where its values are. The
 * values have to live until script_compile(). NULL: out of memory.
 */
struct statement *script_statement(const struct script *s, struct script_probe *p,
				   const struct statement *statement);
/* Takes the last statement away again. */
void script_drop_statement(struct script_probe *p);

/* Adds a copy of the map, whose name has to live as long as the script. -1: out of memory. */
int script_map(struct script *s, const struct map *m);

/*
 * Makes the probe's instructions: `begin`, the predicate, the statements. p->code.full says that
 * they need more stack than there is. Those of an earlier call are forgotten. Returns -1 if out of
 * memory.
 */
int script_compile(const struct script *s, struct script_probe *p);

/* Makes the probe's hook and adds its program to the set. -1: out of memory. */
int script_add(struct script *s, struct script_probe *p);

#endif
