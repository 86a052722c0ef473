// SPDX-License-Identifier: GPL-2.0
/*
 * On some 64-bit kernels of x86 probes damage the stacks of 32-bit programs: probes of returns, on
 * a `call` and, in later kernels, on a `push` (compat/probing/probe_narrow.c). Probes on other
 * instructions are safe, such as the `nop` of USDT.
 */
#include "compat/binaries/narrow_stacks.h"

#include <string.h>
#include <unistd.h>

#include "compat/binaries/binaries_internal.h"

#define CODE 16			/* bytes of an instruction, at most */

enum pushes code_pushes(const unsigned char *code, size_t n)
{
	static const unsigned char prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67,
						  0xf0, 0xf2, 0xf3 };
	const bool alone = n && (code[0] & 0xf8) == 0x50;	/* push %REGISTER */
	size_t i = 0;

	while (i < n && memchr(prefixes, code[i], sizeof(prefixes)))
		i++;
	if (alone)
		return PUSHES_VALUE;
	if (i < n && (code[i] == 0xe8 || code[i] == 0x9a))
		return PUSHES_CALL;
	/* call and lcall with an address in a register or in memory */
	if (i + 1 < n && code[i] == 0xff && ((code[i + 1] >> 3 & 7) == 2 ||
					     (code[i + 1] >> 3 & 7) == 3))
		return PUSHES_CALL;
	return PUSHES_NOTHING;
}

static enum pushes pushes_at(const struct binary *b, uint64_t address)
{
	const char *file = (const char *)b - offsetof(struct file, binary);
	const struct file *f = (const struct file *)file;
	unsigned char code[CODE];
	ssize_t n = pread(f->fd, code, sizeof(code), (off_t)address);

	return n > 0 ? code_pushes(code, (size_t)n) : PUSHES_NOTHING;
}

/* Sets err for a feature that the kernel lacks. Returns -1. */
static int damages(struct kernel *k, enum feature f, const char *what, const char *instead,
		   struct error *err)
{
	const struct feature_reason why = kernel_feature_reason(k, f);
	char words[FEATURE_REASON];

	feature_reason_words(&why, words, sizeof(words));
	return fail(err, "%s damage the stacks of 32-bit programs on this kernel (%s)\n%s", what,
		    words, instead);
}

int binary_spared(struct kernel *k, const struct binary *b, uint64_t address, bool returns,
		  struct error *err)
{
	static const char behind[] =
		"a place behind it can be probed, by its offset: sonde probe --add "
		"NAME=FILE:FUNCTION+OFFSET";
	enum pushes pushes;

	if (!b->abi->stacks_at_risk)
		return 0;
	if (returns)
		return kernel_has(k, FEATURE_URETPROBE_32) ? 0 :
			damages(k, FEATURE_URETPROBE_32, "return probes",
				"probe where functions begin, or run a kernel that has the fix",
				err);
	pushes = pushes_at(b, address);
	if (pushes == PUSHES_VALUE && !kernel_has(k, FEATURE_UPROBE_32))
		return damages(k, FEATURE_UPROBE_32, "probes on instructions that push", behind,
			       err);
	if (pushes == PUSHES_CALL && !kernel_has(k, FEATURE_URETPROBE_32))
		return damages(k, FEATURE_URETPROBE_32, "probes on calls", behind, err);
	return 0;
}
