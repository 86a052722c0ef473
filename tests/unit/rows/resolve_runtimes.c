// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define ENDS(END) \
	"gc.end: usdt python:gc__done\n" END(mark) END(sweep) "gc.end: usdt jvm:gc__end\n"
#define RUBY_END(STAGE)	"gc.end: usdt ruby:gc__" #STAGE "__end\n"
#define NUMBERS \
	"gc.begin: usdt python:gc__start\n" \
	"gc.begin: usdt ruby:gc__mark__begin\n" "gc.begin: usdt ruby:gc__sweep__begin\n" \
	"gc.begin: usdt jvm:gc__begin\n" "gc.begin: usdt jvm:mem__pool__gc__begin\n" \
	ENDS(RUBY_END)
#define ALL		NUMBERS "gc.end: usdt jvm:mem__pool__gc__end\n"

#define JAVA "gc.java_begin: usdt jvm:gc__begin\n" "gc.java_end: usdt jvm:gc__end\n"

static const struct resolve_row whole[] = {
	{ "3.10 4.1", "ugc", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "ugc", BPF, .refused = UNSAFE_HASH },
	/* A uprobe of a ring can't read the name of a pool there. */
	{ "3.10", "ugc", RING, NUMBERS, .missing = "gc.end.pool\n" },
	{ "3.10", "ugc -H", RING, ALL },
	{ "4.1 4.4", "ugc", RING, ALL },
	{ "4.9 4.12 4.19 " NEWER, "ugc", BPF | RING, ALL },
	{ "3.10 4.1", "javagc", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "javagc", BPF, .refused = UNSAFE_HASH },
	{ "3.10 4.1 4.4", "javagc", RING, JAVA },
	{ "4.9 4.12 4.19 " NEWER, "javagc", BPF | RING, JAVA },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "ugc", BPF | RING, .without = "uprobes",
	  .refused = "this kernel has no uprobes" },
};

RESOLVE_ROWS(runtimes, whole, lacking);
