/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_KILLS_H
#define SONDE_INSNS_KILLS_H

#include <stddef.h>

#include "insns/common.h"

/*
 * Programs on the calls that send signals, kill(2) and the like. The frame has `tid`, `start`, and
 * a `record` with members pid_tgid, sig and call.
 */
struct sent_signal {
	int32_t target;
	int32_t sig;
	u64 call;
};

#define KILLS_MAP \
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct sent_signal), 10240, .calls = true }

/* start[tid] = { target, sig, call }; clobbers TASK (r6 to r9) */
#define KILL_BEGINS(TASK) \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET_FIELD(start.target, "tpid"),		/* s.target = tpid */ \
	SET_FIELD(start.sig, "sig"),			/* s.sig = sig */ \
	SET_FIELD(start.call, "call"),			/* s.call = call */ \
	SET(tid, TASK), \
	STORE("start", tid, start)			/* start[tid] = s */

/*
 * record = take start[tid], and RET = what the call returned; if it is unknown, or did not fail
 * though the user asked for failed ones, goto OUT. TARGET is the member of the record.
 */
#define KILL_ENDS(TASK, RET, TARGET, OUT) \
	FIELD(TASK, "pid_tgid"), \
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */ \
	SET(tid, TASK), \
	LOOKUP_OR("start", tid, OUT),			/* s = start[tid] */ \
	COPY_FROM(TARGET, R0, struct sent_signal, target), \
	COPY_FROM(record.sig, R0, struct sent_signal, sig), \
	LOAD(RET, R0, struct sent_signal, call), \
	SET(record.call, RET),				/* r.call = s.call */ \
	DELETE("start", tid), \
	FIELD(RET, "ret"), \
	JUMP_UNLESS("failed", ".any"), \
	JSGE(RET, 0, OUT),				/* if (ret >= 0) out */ \
	LABEL(".any")

#endif
