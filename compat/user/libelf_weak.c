// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that libelf.a needs and some systems lack. They are weak, for systems that have them.
 *
 * libelf 0.192 and later keep what they have read in these search trees. Debian 13 ships libelf.a
 * without the part of elfutils that has them. sonde has one thread, and needs no lock.
 */
#include <search.h>
#include <stdlib.h>

typedef int compare_fn(const void *, const void *);

struct search_tree {
	void *root;
	/* libelf's struct has the lock here */
};

void eu_search_tree_init(struct search_tree *t);
void eu_search_tree_fini(struct search_tree *t, void (*free_node)(void *));
void *eu_tsearch(const void *key, struct search_tree *t, compare_fn *compare);
void *eu_tdelete(const void *key, struct search_tree *t, compare_fn *compare);

__attribute__((weak)) void eu_search_tree_init(struct search_tree *t)
{
	t->root = NULL;
}

__attribute__((weak)) void eu_search_tree_fini(struct search_tree *t, void (*free_node)(void *))
{
	tdestroy(t->root, free_node);
	t->root = NULL;
}

__attribute__((weak)) void *eu_tsearch(const void *key, struct search_tree *t, compare_fn *compare)
{
	return tsearch(key, &t->root, compare);
}

__attribute__((weak)) void *eu_tdelete(const void *key, struct search_tree *t, compare_fn *compare)
{
	return tdelete(key, &t->root, compare);
}

/*
 * The name of strtol() in glibc's headers since 2.38. A libelf.a that was built with such headers
 * needs it from an older C library.
 */
#if __GLIBC__ * 100 + __GLIBC_MINOR__ < 238
long __isoc23_strtol(const char *text, char **end, int base);

__attribute__((weak)) long __isoc23_strtol(const char *text, char **end, int base)
{
	return strtol(text, end, base);
}
#endif
