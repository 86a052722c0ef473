/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TTYSNOOP_H
#define SONDE_TTYSNOOP_H

#include <stdint.h>

#include "insns/program.h"

#define TTY_PIECE	128	/* bytes of a write in a record */
#define TTY_PIECES	16	/* the terminal takes no more bytes at a time */

enum ttysnoop_event { TTY_FOUND, TTY_CLOSED, TTY_WRITE, TTY_WROTE };

struct ttysnoop_record {
	u64 time;
	u64 pid_tgid;
	int64_t bytes;		/* TTY_WRITE: of the whole write; TTY_WROTE: taken, or -errno */
	uint32_t event;
	uint32_t from;		/* the place of this piece in the write */
	char comm[16];
	uint32_t unused;
	int32_t length;		/* of the piece */
	char data[TTY_PIECE];
};

RECORD_LAYOUT_TEXT(ttysnoop_record, data,
	FIELD_OF(ttysnoop_record, time, TIME),
	FIELD_AS(ttysnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(ttysnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(ttysnoop_record, bytes, NUMBER, .unit = "bytes"),
	FIELD_OF(ttysnoop_record, event, NUMBER),
	FIELD_OF(ttysnoop_record, from, NUMBER, .unit = "bytes"),
	FIELD_OF(ttysnoop_record, comm, COMM));

extern const struct program_set ttysnoop_programs;

#endif
