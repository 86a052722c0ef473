// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/signals.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"

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

/* The first real-time signal of programs. The kernel has two more, which C libraries keep. */
#define REAL_TIME_FIRST 34
#define REAL_TIME_LAST (SIGNALS - 1)

/* RTMIN, RTMIN+3, RTMAX-1. */
static int real_time_number(const char *word)
{
	uint64_t distance = 0;
	bool up = !strncmp(word, "RTMIN", 5);
	const char *at = word + 5;

	if (!up && strncmp(word, "RTMAX", 5))
		return -1;
	if (*at && (*at++ != (up ? '+' : '-') ||
		    !scan_number(&at, REAL_TIME_LAST - REAL_TIME_FIRST, &distance) || *at))
		return -1;
	return up ? REAL_TIME_FIRST + (int)distance : REAL_TIME_LAST - (int)distance;
}

const char *signal_full_name(int number, char buffer[SIGNAL_NAME])
{
	const char *name = signal_name(number);

	if (name)
		text_cut(buffer, SIGNAL_NAME, "SIG%s", name);
	else if (number == REAL_TIME_FIRST)
		snprintf(buffer, SIGNAL_NAME, "SIGRTMIN");
	else if (number > REAL_TIME_FIRST && number <= REAL_TIME_LAST)
		snprintf(buffer, SIGNAL_NAME, "SIGRTMIN+%d", number - REAL_TIME_FIRST);
	else
		snprintf(buffer, SIGNAL_NAME, "%d", number);
	return buffer;
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
	return real_time_number(text);
}
