/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOLATENCY_COUNT_H
#define SONDE_BIOLATENCY_COUNT_H

#include "insns/hist.h"
#include "insns/programs/biolatency.h"

/* The results of biolatency, however its programs tell one request from others. */

#define LATENCY_MAPS \
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout }, \
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct hist_key), 8, 10240, \
	  .key = &hist_key_layout }, \
	TOTALS_MAP(MAP_PERCPU_ARRAY), \
	{ "untimed", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 1, .key = &index_key_layout }

/* Registers. */
enum { LENGTH = R6, INDEX = R7 };

/*
 * LENGTH = now - BEGAN, in ns; hist[slot(LENGTH / unit)]++, or hists[group, slot]++. If the clocks
 * of two CPUs differ, goto UNTIMED. The frame has `index` and `hist`; SET_GROUP sets
 * frame.hist.group, and keeps r6.
 */
#define COUNT_LATENCY(BEGAN, SET_GROUP, UNTIMED) \
	FIELD(LENGTH, "time"), \
	BPF_ALU64_REG(BPF_SUB, LENGTH, BEGAN), \
	JSLT(LENGTH, 0, UNTIMED), \
	IN_UNIT(LENGTH), \
	JUMP_UNLESS("extension", ".no_totals"), \
	ADD_TOTALS(index, LENGTH),		/* totals += length */ \
	LABEL(".no_totals"), \
	JUMP_UNLESS("grouped", ".one"), \
	SET_GROUP,					/* group = rwbs or dev */ \
	VALUE_SLOT(INDEX, LENGTH), \
	COUNT_GROUP("hists", hist, INDEX, LENGTH),		/* hists[group, slot]++ */ \
	JUMP(".counted"), \
	LABEL(".one"), \
	VALUE_SLOT(INDEX, LENGTH), \
	COUNT_VALUE("hist", index, INDEX, LENGTH),		/* hist[slot]++ */ \
	LABEL(".counted")

#endif
