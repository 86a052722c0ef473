// SPDX-License-Identifier: GPL-2.0
/*
 * Garbage collections of runtimes, by the probes (USDT) that they have if they were built with any.
 * `what` is an enum ugc_what of insns/programs/ugc.h. `about` tells collections of one thread
 * apart: Java's pools of memory are collected together.
 */
#include "compat/hooks/hooks_rows.h"

/* A pool: name of its manager, length, its own name, length, initial, used, committed, most. */
#define POOL		"what=4 about=$arg3:uW "

const struct hook hooks_runtimes[] = {
	HOOK("gc.begin", "a runtime begins to collect garbage",
		{ PROBES(USDT("python:python:gc__start", "what=0 about=0 before=$arg1:s32",
			      OPTIONAL),
			 USDT("ruby:ruby:gc__mark__begin", "what=1 about=0 before=0", OPTIONAL),
			 USDT("ruby:ruby:gc__sweep__begin", "what=2 about=0 before=0", OPTIONAL),
			 USDT("jvm:hotspot:gc__begin", "what=3 about=0 before=$arg1:u8", OPTIONAL),
			 USDT("jvm:hotspot:mem__pool__gc__begin", POOL "before=$arg6:uW",
			      OPTIONAL)) },
	),
	HOOK("gc.end", "the runtime has collected it",
		{ PROBES(USDT("python:python:gc__done", "what=0 about=0 after=$arg1:sW most=0",
			      OPTIONAL),
			 USDT("ruby:ruby:gc__mark__end", "what=1 about=0 after=0 most=0",
			      OPTIONAL),
			 USDT("ruby:ruby:gc__sweep__end", "what=2 about=0 after=0 most=0",
			      OPTIONAL),
			 USDT("jvm:hotspot:gc__end", "what=3 about=0 after=0 most=0", OPTIONAL),
			 USDT("jvm:hotspot:mem__pool__gc__end",
			      POOL "after=$arg6:uW most=$arg7:uW pool=+0($arg3):uname",
			      OPTIONAL)) },
	),
	HOOK("gc.java_begin", "Java begins to collect garbage",
		ONE(USDT("jvm:hotspot:gc__begin", "what=3 about=0 before=$arg1:u8")),
	),
	HOOK("gc.java_end", "Java has collected it",
		ONE(USDT("jvm:hotspot:gc__end", "what=3 about=0 after=0 most=0")),
	),
	{ }
};
