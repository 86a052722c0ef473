// SPDX-License-Identifier: GPL-2.0
/* Arguments that a call reads or not, or understands otherwise, by an argument before them. */
#include "src/language/systrace/arguments.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

static void be(struct argument *a, const char *kind)
{
	a->kind = kind;
	a->kind_length = (uint8_t)strlen(kind);
}

static void be_named(struct argument *a, const char *kind, const char *name)
{
	be(a, kind);
	a->name = name;
	a->name_length = (uint8_t)strlen(name);
}

/* The arguments of futex(2) by operation: a bit for each; and whether the fourth is a number. */
#define FUTEX(...)	(uint8_t)(0x03 | (__VA_ARGS__))
#define VAL		0x04
#define TIMEOUT		0x08
#define UADDR2		0x10
#define VAL3		0x20
#define VAL2		0x48		/* in the timeout's place */

static bool futex_used(struct argument *a, uint64_t op)
{
	static const uint8_t used[] = {
		FUTEX(VAL | TIMEOUT), FUTEX(VAL), FUTEX(VAL),
		FUTEX(VAL | VAL2 | UADDR2), FUTEX(VAL | VAL2 | UADDR2 | VAL3),
		FUTEX(VAL | VAL2 | UADDR2 | VAL3), FUTEX(TIMEOUT), FUTEX(0), FUTEX(0),
		FUTEX(VAL | TIMEOUT | VAL3), FUTEX(VAL | VAL3), FUTEX(VAL | TIMEOUT | UADDR2),
		FUTEX(VAL | VAL2 | UADDR2 | VAL3), FUTEX(TIMEOUT),
	};
	unsigned int command = op & 127;

	if (command >= sizeof(used))
		return true;
	if (a->at == 3 && (used[command] & VAL2) == VAL2)
		be_named(a, "number", "val2");
	return used[command] & 1 << a->at;
}

/* How many arguments prctl(2) reads behind the option; 4 of those that are not here. */
static bool prctl_used(struct argument *a, uint64_t option)
{
	static const char used[] =		/* ten by ten */
		"4110111011" "1110111441" "1021111011" "0004441144"
		"1444410444" "1044444444" "4441044441" "0244444444";

	option = (uint32_t)option;
	return option >= sizeof(used) - 1 || a->at <= (unsigned int)(used[option] - '0');
}

static bool fcntl_used(struct argument *a, uint64_t command)
{
	static const struct {
		uint16_t command;
		const char *kind;		/* NULL: there is no argument */
	} meanings[] = {
		{ F_DUPFD, "number" }, { F_GETFD }, { F_SETFD, "fd_flags" }, { F_GETFL },
		{ F_SETFL, "open" }, { F_SETOWN, "number" }, { F_GETOWN }, { F_SETSIG, "signal" },
		{ F_GETSIG }, { F_SETLEASE, "lease" }, { F_GETLEASE },
		{ F_DUPFD_CLOEXEC, "number" }, { F_SETPIPE_SZ, "number" }, { F_GETPIPE_SZ },
		{ F_ADD_SEALS, "seals" }, { F_GET_SEALS },
	};

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (meanings[i].command != (uint32_t)command)
			continue;
		if (meanings[i].kind)
			be(a, meanings[i].kind);
		return meanings[i].kind != NULL;
	}
	return true;
}

/* A mode, and what else a new file has, is only read where a file may be made. */
static bool open_used(struct argument *a, uint64_t flags)
{
	if (!argument_is(a, "mode") && !argument_is(a, "created"))
		return true;
	return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
}

/* Protocols have names within a family. */
static bool family_used(struct argument *a, uint64_t family)
{
	uint32_t f = (uint32_t)family;

	if (argument_is(a, "protocol"))
		be(a, f == AF_INET || f == AF_INET6 ? "ipproto" :
		      f == AF_NETLINK ? "netlink" : "number");
	return true;
}

/* Each level of sockets has options of its own. */
static bool sockopt_used(struct argument *a, uint64_t level)
{
	static const struct {
		uint16_t level;
		const char *kind;
	} levels[] = {
		{ 0, "sockopt0" }, { 1, "sockopt1" }, { 6, "sockopt6" }, { 17, "sockopt17" },
		{ 41, "sockopt41" }, { 255, "sockopt255" }, { 263, "sockopt263" },
		{ 270, "sockopt270" },
	};

	if (!argument_is(a, "sockopt"))
		return true;
	be(a, "number");
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (levels[i].level == (uint32_t)level)
			be(a, levels[i].kind);
	return true;
}

/* Only devices have a number. */
static bool mknod_used(struct argument *a, uint64_t mode)
{
	return !argument_is(a, "hex") || S_ISCHR(mode) || S_ISBLK(mode);
}

static bool (*selected_by(const struct argument *selector))(struct argument *a, uint64_t value)
{
	static const struct {
		const char *kind;
		bool (*used)(struct argument *a, uint64_t value);
	} selectors[] = {
		{ "family", family_used }, { "fcntl", fcntl_used }, { "futex", futex_used },
		{ "kind_mode", mknod_used }, { "open", open_used }, { "prctl", prctl_used },
		{ "sol", sockopt_used },
	};

	for (size_t i = 0; i < sizeof(selectors) / sizeof(selectors[0]); i++)
		if (argument_is(selector, selectors[i].kind))
			return selectors[i].used;
	return NULL;
}

bool selects_arguments(const struct argument *a)
{
	return selected_by(a) != NULL;
}

bool argument_used(struct argument *a, const struct argument *selector, uint64_t value)
{
	return selected_by(selector)(a, value);
}
