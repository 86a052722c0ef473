// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "src/toolkit/signals.h"

/* The kernel's numbers, since not every C library has all of them. */
enum {
	CODE_USER = 0, CODE_KERNEL = 0x80,
	CODE_QUEUE = -1, CODE_TIMER = -2, CODE_MESGQ = -3, CODE_ASYNCIO = -4, CODE_SIGIO = -5,
	CODE_TKILL = -6, CODE_DETHREAD = -7, CODE_ASYNCNL = -60,
};

#define CODES 16

static const struct codes {
	int signal;
	const char *names[CODES];		/* of the codes 1, 2, ... */
} of_signals[] = {
	{ SIGILL, { "ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC",
		    "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK", "ILL_BADIADDR" } },
	{ SIGFPE, { "FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND",
		    "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB", [13] = "FPE_FLTUNK",
		    "FPE_CONDTRAP" } },
	{ SIGSEGV, { "SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR", "SEGV_PKUERR", "SEGV_ACCADI",
		     "SEGV_ADIDERR", "SEGV_ADIPERR", "SEGV_MTEAERR", "SEGV_MTESERR",
		     "SEGV_CPERR" } },
	{ SIGBUS, { "BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO" } },
	{ SIGTRAP, { "TRAP_BRKPT", "TRAP_TRACE", "TRAP_BRANCH", "TRAP_HWBKPT", "TRAP_UNK",
		     "TRAP_PERF" } },
	{ SIGCHLD, { "CLD_EXITED", "CLD_KILLED", "CLD_DUMPED", "CLD_TRAPPED", "CLD_STOPPED",
		     "CLD_CONTINUED" } },
	{ SIGSYS, { "SYS_SECCOMP", "SYS_USER_DISPATCH" } },
};
/* Codes of SIGIO, and of the signal that a program asked for instead (F_SETSIG). */
static const char *const polls[] = {
	"POLL_IN", "POLL_OUT", "POLL_MSG", "POLL_ERR", "POLL_PRI", "POLL_HUP"
};

static const struct {
	int code;
	const char *name;
} of_all[] = {
	{ CODE_USER, "SI_USER" }, { CODE_KERNEL, "SI_KERNEL" }, { CODE_QUEUE, "SI_QUEUE" },
	{ CODE_TIMER, "SI_TIMER" }, { CODE_MESGQ, "SI_MESGQ" }, { CODE_ASYNCIO, "SI_ASYNCIO" },
	{ CODE_SIGIO, "SI_SIGIO" }, { CODE_TKILL, "SI_TKILL" },
	{ CODE_DETHREAD, "SI_DETHREAD" }, { CODE_ASYNCNL, "SI_ASYNCNL" },
};

/*
 * Before 4.17 the kernel's own codes have a number of their kind in the upper half; the code in the
 * lower one may be below 0.
 */
static int told(int code)
{
	return code > 0 ? (int16_t)code : code;
}

static const struct codes *codes_of(int number)
{
	for (size_t i = 0; i < sizeof(of_signals) / sizeof(of_signals[0]); i++)
		if (of_signals[i].signal == number)
			return &of_signals[i];
	return NULL;
}

const char *signal_code(int number, int code, char buffer[SIGNAL_CODE])
{
	const struct codes *own = codes_of(number);

	code = told(code);
	for (size_t i = 0; i < sizeof(of_all) / sizeof(of_all[0]); i++)
		if (of_all[i].code == code)
			return of_all[i].name;
	if (own && code > 0 && code <= CODES && own->names[code - 1])
		return own->names[code - 1];
	if (!own && code > 0 && code <= (int)(sizeof(polls) / sizeof(polls[0])))
		return polls[code - 1];
	snprintf(buffer, SIGNAL_CODE, "%d", code);
	return buffer;
}

bool signal_from_interrupt(int number, int code)
{
	/* Sent by timers, by terminals and sockets, or when CPU time is used up. */
	static const int timed[] = { SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL, SIGURG };

	code = told(code);
	switch (code) {
	case CODE_TIMER: case CODE_ASYNCIO: case CODE_SIGIO: case CODE_ASYNCNL:
		return true;
	case CODE_KERNEL:
		for (size_t i = 0; i < sizeof(timed) / sizeof(timed[0]); i++)
			if (timed[i] == number)
				return true;
		return false;
	default:
		return code > 0 && !codes_of(number);
	}
}
