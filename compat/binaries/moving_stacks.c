// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of Go. A return probe replaces the return address on the stack by an address of the
 * kernel's. Go copies stacks as they grow, and looks up the caller of each frame. An address that
 * is not the program's own ends the program.
 */
#include <stddef.h>

#include "compat/binaries/binaries_internal.h"
#include "compat/user/guard.h"

#define SILENCE_MS 5000

const char moving_stacks[] =
	"it is a program of Go, which return probes crash, because Go moves stacks\n"
	"probe where a function begins, or its RET instructions (objdump -d shows them), each by "
	"its offset: sonde probe --add NAME=FILE:FUNCTION+OFFSET";

/* Sections that Go's linker makes, also without symbols. The second one is that of PIE. */
static const char *const sections[] = {
	".gopclntab", ".data.rel.ro.gopclntab", ".go.buildinfo", ".note.go.buildid", NULL
};

static void look(void *arg, int to)
{
	const struct file *f = arg;
	struct error err;
	const bool found = elf_has_section(f->fd, sections, &err) > 0;

	guard_send(to, &found, sizeof(found), -1);
}

static void take(void *arg, const void *message, size_t size, int fd)
{
	const bool *found = message;
	struct file *f = arg;

	(void)fd;
	if (size == sizeof(*found) && *found)
		f->stacks = STACKS_MOVE;
}

bool binary_moves_stacks(struct kernel *k, struct binary *b)
{
	struct file *f = (struct file *)((char *)b - offsetof(struct file, binary));
	const struct guarded g = { .work = look, .take = take, .arg = f, .file = &f->fd,
				   .stop = kernel_stop(k), .ms = SILENCE_MS };

	if (f->stacks == STACKS_UNKNOWN) {
		f->stacks = STACKS_STAY;
		if (f->fd >= 0)
			guard_run(&g);
	}
	return f->stacks == STACKS_MOVE;
}
