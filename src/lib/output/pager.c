// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/pager.h"

#include <stdlib.h>
#include <unistd.h>

#include "src/lib/output/terminal.h"

/* Where there is no pager the shell copies: it needs no other program for that. */
static const char script[] =
	"for p in \"${PAGER:-less}\" more; do\n"
	"command -v ${p%% *} >/dev/null && eval \"exec $p\"\n"
	"done\n"
	"while IFS= read -r l; do printf '%s\\n' \"$l\"; done";

void pager_begin(unsigned int lines)
{
	unsigned int width, height;
	int ends[2];
	pid_t child;

	if (!isatty(STDOUT_FILENO) || !terminal_moves(getenv("TERM")) || access("/bin/sh", X_OK))
		return;
	terminal_size(STDOUT_FILENO, &width, &height);
	if (lines < height || pipe(ends))
		return;
	child = fork();
	/*
	 * The pager takes the place of the process that the shell waits for, and its child writes:
	 * nobody has to stay for it, and signals reach it as if it had been called itself.
	 */
	if (child > 0)
		dup2(ends[0], STDIN_FILENO);
	else if (!child)
		dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	if (child <= 0)
		return;
	/* Colours, nothing to wait for on one screen, no other screen, Ctrl-C ends it; no shell. */
	setenv("LESS", "FRXK", 0);
	setenv("LESSSECURE", "1", 1);
	execl("/bin/sh", "sh", "-c", script, NULL);
	_exit(1);
}
