/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPLAY_H
#define SONDE_REPLAY_H

#include "backends/backend.h"

/*
 * Runs a plan over a file of records instead of a kernel's rings, with the same merge, task table,
 * machine and losses, but without root and without the events. A person or a program writes the
 * file. Lines are:
 *
 *	# a comment
 *	task TID TGID COMM			a task known from the beginning
 *	TIME CPU TID EVENT [INPUT=VALUE]...	an event; its record is made of the inputs
 *	TIME CPU TID EVENT x HEX		the same with the record's bytes, from common_type
 *						on
 *	gap CPU FROM TO COUNT			COUNT events of this CPU were lost between these
 *						times
 *	switches				from here on a CPU's records of
 *						sched:sched_switch must follow each other
 *	run UNTIL				runs all events up to this time here, as if no
 *						more would come
 *	clock TIME REALTIME			the real time at this time, in ns since 1970;
 *						without it, times count from 1970 on
 *
 * EVENT is SYSTEM:NAME for a tracepoint (of the plan or of the task table), p:FUNCTION or
 * r:FUNCTION for a kprobe or kretprobe, or @N for attachment number N, which is the only name of a
 * part. An event of several attachments goes to each. INPUT is the name of one of the event's
 * inputs; the task table leaves out those that only the plan's event has. VALUE is a number, "text"
 * with \n \t \" \\ \xHH, xHEX for bytes, or `fault` for an unreadable string. If a text comes in
 * pieces, NUMBER"bytes" is the whole memory from that address on; behind the NUL of "text" there is
 * more memory. The VALUE of a stack is ADDRESS,ADDRESS..., newest first. Inputs without a value are
 * 0. common_pid is the TID.
 *
 * Lines may be in any order: up to the next `run`, or to the end, they are merged by time. All
 * times are in ns. The run begins at the oldest time before the first `run`, and ends at the newest
 * time of the file.
 */
extern const struct backend backend_replay;

#endif
