/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FORMAT_H
#define SONDE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field of an event, from events/SYSTEM/EVENT/format. Offsets count from the record's start. */
struct field {
	char name[48];
	/* as declared, without `__data_loc` and array bounds: "char", "const char *" */
	char type[48];
	uint32_t offset;	/* bytes */
	/* bytes in the record: on syscalls:* of the slot, of a data_loc 4 */
	uint32_t size;
	bool is_signed;
	bool is_array;
	bool is_data_loc;	/* u32: length << 16 | offset of the bytes in the record */
};

struct format {
	char system[64];
	char event[64];
	/* the number that perf_event_open(2) takes, on the kernel that the format is of */
	int id;
	unsigned int n_fields;
	struct field *fields;	/* with the common fields */
	char *print;		/* the text behind `print fmt:`, up to its newline */
};

/* Parses a format. The caller frees. Returns NULL if the text is not a format. */
struct format *format_parse(const char *system, const char *text, size_t length);
void format_free(struct format *f);
/* The field of that name. Returns NULL if there is none. */
const struct field *format_field(const struct format *f, const char *name);
/* Returns true if the field has the address of a function of the kernel, or one in it. */
bool format_field_is_code(const struct field *f);

/*
 * The bit of sched_switch's prev_state that marks a preempted task. It has moved four times, and
 * only the print format tells where it is (`REC->prev_state & (EXPRESSION) ? "+" : ""`). Returns 0
 * if it is not found.
 */
uint64_t format_preempted_bit(const struct format *sched_switch);

#endif
