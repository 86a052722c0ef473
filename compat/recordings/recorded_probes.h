/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORDED_PROBES_H
#define SONDE_RECORDED_PROBES_H

#include "compat/base/strbuf.h"
#include "compat/events/event.h"
#include "compat/recordings/recording.h"

/*
 * The probes of a recording, what resolving hooks to them asks of its kernel, and names of its
 * disks. `sonde record` writes it into a section of its own: lines of words, behind the line
 * PROBES_HEAD.
 *
 *	feature NAME yes|no		of compat/kernel/features.def
 *	function SYMBOL			a function of the kernel
 *	offset MEMBER ORIGIN N[ *STRUCT]	as in a snapshot (compat/types/offsets.h)
 *	binary ABI BUILD-ID PATH	a file of user space; the first one is number 0
 *	place BINARY ADDRESS SEMAPHORE NAME SYMBOL [ARGUMENTS]
 *					what NAME, as in the hook table, was there
 *	probe KIND EVENT GROUP ADDRESS BINARY FUNCTION [FETCH]
 *					EVENT: of the formats; BINARY -: of the kernel
 *	disk|partition MAJOR:MINOR NAME	as in /sys/dev/block
 *
 * In words, bytes up to the space, %, and those from 127 on are %XX. The last one is as it is.
 * Numbers are decimal. Lines that begin with another word are passed over.
 */
#define PROBES_HEAD "sonde probes 1\n"
#define PROBES_FEATURE 200		/* its bit in a perf.data */

struct recorded_probe {
	uint8_t kind;			/* enum event_kind */
	uint32_t group;			/* as in struct event */
	uint64_t address;		/* in the function, or the file */
	int binary;			/* its number; -1: a function of the kernel */
	const char *event;		/* GROUP:NAME, as the formats have it */
	const char *function, *fetch;	/* fetch "": none */
	int number;			/* of recording_events(); -1: its format is missing */
};

struct recorded_binary {
	const char *path, *build_id;	/* build_id "-": none */
	unsigned int abi;		/* a number of struct arch.abis */
};

struct recorded_place {
	unsigned int binary;
	uint64_t address, semaphore;
	const char *name, *symbol;
	const char *arguments;		/* of USDT; NULL: a function */
};

/*
 * Reads the section, n bytes. Returns -1 and sets err if it is damaged, or of a later version of
 * sonde.
 */
int recorded_probes_read(struct recording *r, const void *text, size_t n, struct error *err);
void recorded_probes_free(struct recording *r);

struct recorded_disk {
	uint64_t number;		/* major << 20 | minor */
	const char *name;
	bool partition;
};

/* The probes; n is 0 without the section. They are valid as long as the recording. */
const struct recorded_probe *recorded_probes(const struct recording *r, unsigned int *n);
const struct recorded_binary *recorded_binaries(const struct recording *r, unsigned int *n);
const struct recorded_place *recorded_places(const struct recording *r, unsigned int *n);
/* A disk, by its number, or else by its name. NULL: the recording does not have it. */
const struct recorded_disk *recorded_disk(const struct recording *r, uint64_t number,
					  const char *name);

/*
 * The probe that an event of the resolver is: of its kind, at its place, with its inputs. A `file`
 * of user space is named as recorded_binary_file() does it; NULL: the kernel. `grouped`: parts go
 * with their main event, whose number in the plan is the recorded one. NULL: there is none.
 */
const struct recorded_probe *recorded_probe_of(const struct recording *r, const struct event *e,
					       const char *file, bool grouped);
/*
 * Bytes of a probe's records are a text, or in the order of networks, whatever the recorder's byte
 * order: they stay as they are.
 */
void recorded_bytes(struct recording *r, const struct recorded_probe *p, uint32_t offset,
		    uint32_t size);
void recorded_binary_file(unsigned int number, char *to, size_t size);

/* Adds a word as the section has it, and the space or newline behind it. */
void recorded_word(struct strbuf *to, const char *word, char end);
/* Puts %XX of a word back, in its place. */
void recorded_word_back(char *word);
/* The name of a kind of probes; NULL: events of this kind are no probes. */
const char *recorded_kind(enum event_kind kind);

#endif
