// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/terminal.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ENTER "\033[?1049h\033[?25l\033[2J"
#define LEAVE "\033[m\033[?25h\033[?1049l"

/* What signal handlers need. */
/* the terminal's descriptor; -1: not on its alternate screen */
static volatile sig_atomic_t entered = -1;
static volatile sig_atomic_t changed;

static void say(const char *s, size_t n)
{
	/* A terminal that is gone needs no restoring. */
	while (entered >= 0 && write(entered, s, n) < 0 && errno == EINTR)
		;
}

static void on_resize(int number)
{
	(void)number;
	changed = 1;
}

static void handle(int number, void (*handler)(int number))
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(number, &action, NULL);
}

/* As if the signal were not caught, but with the terminal as it was. */
static void deliver(int number)
{
	sigset_t set;

	handle(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void on_stop(int number)
{
	say(LEAVE, sizeof(LEAVE) - 1);
	deliver(number);
	/* Continued. */
	handle(number, on_stop);
	say(ENTER, sizeof(ENTER) - 1);
	changed = 1;
}

static void on_death(int number)
{
	say(LEAVE, sizeof(LEAVE) - 1);
	deliver(number);
}

/* The session catches those that ask it to end. */
static const uint8_t signals[] = {
	SIGWINCH, SIGTSTP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGUSR1,
	SIGUSR2,
};

static void handle_all(bool ours)
{
	for (size_t i = 0; i < sizeof(signals); i++)
		handle(signals[i], !ours ? SIG_DFL : signals[i] == SIGWINCH ? on_resize :
		       signals[i] == SIGTSTP ? on_stop : on_death);
}

void terminal_enter(int fd)
{
	entered = fd;
	handle_all(true);
	say(ENTER, sizeof(ENTER) - 1);
}

void terminal_leave(void)
{
	if (entered < 0)
		return;
	say(LEAVE, sizeof(LEAVE) - 1);
	handle_all(false);
	entered = -1;
}

bool terminal_changed(void)
{
	bool was = changed;

	changed = 0;
	return was;
}

void terminal_size(int fd, unsigned int *width, unsigned int *height)
{
	struct winsize size = { };

	if (ioctl(fd, TIOCGWINSZ, &size))
		memset(&size, 0, sizeof(size));
	*width = size.ws_col ? size.ws_col : 80;
	*height = size.ws_row ? size.ws_row : 24;
}

bool terminal_moves(const char *term)
{
	return term && *term && strcmp(term, "dumb");
}

enum heatmap_colours terminal_colours(const char *term, const char *colorterm, const char *no_color)
{
	/*
	 * Those that show 256 colours (the console: the nearest it has) but do not say so in their
	 * name.
	 */
	static const char *const known[] = {
		"xterm", "screen", "tmux", "linux", "rxvt", "alacritty", "foot", "kitty", "konsole",
		"st", "wezterm",
	};

	if ((no_color && *no_color) || !term || !strcmp(term, "dumb"))
		return COLOURS_NONE;
	if (colorterm && (!strcmp(colorterm, "truecolor") || !strcmp(colorterm, "24bit")))
		return COLOURS_TRUE;
	if (strstr(term, "256color"))
		return COLOURS_256;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t n = strlen(known[i]);

		if (!strncmp(term, known[i], n) && (!term[n] || term[n] == '-'))
			return COLOURS_256;
	}
	return COLOURS_NONE;
}

bool terminal_utf8(const char *lc_all, const char *lc_ctype, const char *lang)
{
	const char *locale = lc_all && *lc_all ? lc_all : lc_ctype && *lc_ctype ? lc_ctype : lang;

	char small[64];
	size_t n;

	for (n = 0; locale && locale[n] && n < sizeof(small) - 1; n++)
		small[n] = (char)tolower((unsigned char)locale[n]);
	small[n] = '\0';
	return strstr(small, "utf-8") || strstr(small, "utf8");
}
