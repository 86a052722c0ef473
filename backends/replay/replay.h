/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_REPLAY_H
#define SONDE_REPLAY_H

#include "backends/backend.h"

/*
 * Runs a plan over a file of records, written by hand or by a program, instead of over a kernel's
 * rings: the same merge, task table, machine and losses, without root and without the events. A
 * line each:
 *
 *	# a comment
 *	task TID TGID COMM			a task known from the beginning
 *	TIME CPU TID EVENT [INPUT=VALUE]...	an event, its record made from the attachment's
 *						inputs
 *	TIME CPU TID EVENT x HEX		the same with the record's bytes, from common_type
 *						on
 *	gap CPU FROM TO COUNT			COUNT events of this CPU were lost between these
 *						times
 *	run UNTIL				everything up to this time is run here, as if no
 *						more of it would come
 *
 * EVENT is SYSTEM:NAME for a tracepoint (of the plan, or of the task table), p:FUNCTION or
 * r:FUNCTION for a kprobe and a kretprobe, or @N for attachment number N, which is how parts are
 * named. An event of several attachments goes to each. INPUT is the name of one of the event's
 * inputs; VALUE a number, "text" with \n \t \" \\ \xHH, xHEX for bytes, or `fault` for a string
 * that could not be read. Where a text comes in pieces, NUMBER"bytes" says all there is in memory,
 * from that address on; of "text" there is more behind its NUL. What is not given is 0. common_pid
 * is the TID. The VALUE of a stack is ADDRESS,ADDRESS..., newest first.
 *
 * Lines may stand in any order: up to the next `run`, or to the end, they are merged by time.
 */
extern const struct backend backend_replay;

#endif
