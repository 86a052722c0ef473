// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/signals.h"

#include <ctype.h>
#include <signal.h>
#include <string.h>

#include "compat/base/scan.h"

/* Numbers differ by machine: the kernel has those of this binary. */
static const char *const names[SIGNALS] = {
	[SIGHUP] = "HUP", [SIGINT] = "INT", [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
	[SIGTRAP] = "TRAP",
	[SIGABRT] = "ABRT", [SIGBUS] = "BUS", [SIGFPE] = "FPE", [SIGKILL] = "KILL",
	[SIGUSR1] = "USR1",
	[SIGSEGV] = "SEGV", [SIGUSR2] = "USR2", [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM",
	[SIGTERM] = "TERM",
	[SIGSTKFLT] = "STKFLT", [SIGCHLD] = "CHLD", [SIGCONT] = "CONT", [SIGSTOP] = "STOP",
	[SIGTSTP] = "TSTP",
	[SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU", [SIGURG] = "URG", [SIGXCPU] = "XCPU",
	[SIGXFSZ] = "XFSZ",
	[SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGPOLL] = "IO",
	[SIGPWR] = "PWR",
	[SIGSYS] = "SYS",
};

const char *signal_name(int number)
{
	return number > 0 && number < SIGNALS ? names[number] : NULL;
}

int signal_number(const char *text, size_t length)
{
	char word[16];
	const char *at = word;
	uint64_t digits;

	if (!length || length >= sizeof(word))
		return -1;
	for (size_t i = 0; i < length; i++)
		word[i] = (char)toupper((unsigned char)text[i]);
	word[length] = '\0';
	if (scan_number(&at, SIGNALS - 1, &digits) && !*at)
		return (int)digits;
	text = strncmp(word, "SIG", 3) ? word : word + 3;
	for (int number = 1; number < SIGNALS; number++)
		if (names[number] && !strcmp(names[number], text))
			return number;
	return -1;
}
