/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACK_MARK_H
#define SONDE_STACK_MARK_H

#include <stdint.h>

/*
 * Among a stack's addresses there may be one that is no function's, but says why the stack ends
 * there. No function is in the last pages of an address space. perf's own marks are above these.
 */
#define STACK_MARKS(MARK) \
	/* The kernel was to record a stack, and did not. */ \
	MARK(LOST, "[lost: not recorded]") \
	/* ftrace's stacks of user space have room for so many. */ \
	MARK(CUT_AT_8, "[cut at 8]") \
	/* The copy of the stack's memory ends here. */ \
	MARK(CUT_DUMP, "[cut: stack dump]") \
	/* The file with the function does not say how to get to its caller. */ \
	MARK(NO_TABLE, "[cut: no unwind table]") \
	/* It says so, but what is in memory there can't be right. */ \
	MARK(BROKEN, "[cut: broken stack]") \
	/* Programs that walk by themselves have room for so many (STACK_WALKED). */ \
	MARK(CUT_AT_32, "[cut at 32]") \
	/* There is no memory, or none that can be read without waiting for it. */ \
	MARK(UNREADABLE, "[cut: unreadable]") \
	/* The next frame is not further up on the same stack. */ \
	MARK(LEFT, "[cut: another stack]") \
	/* Frames of a 32-bit program of a 64-bit kernel have another form. */ \
	MARK(NARROW, "[cut: 32-bit program]") \
	/* Here alone the stack goes on: there is a caller, and what the kernel told is not it. */ \
	MARK(CALLER, "[unknown caller]") \
	/* Of what is behind it is not known yet whether it is the caller; it is never shown. */ \
	MARK(TOLD, "[may be its caller]")

/*
 * POWER's kernel takes the third address of user space from where the newest function saves its
 * caller once it has a frame. One that calls nobody does not: there may be a 0, in a machine's
 * table the mark CALLER, and the stack goes on.
 */
#define STACK_SAVED	2

#define STACK_MARK_NUMBER(NAME, TEXT) STACK_MARK_##NAME,
enum stack_mark { STACK_MARKS(STACK_MARK_NUMBER) STACK_MARKS_END };

#define STACK_MARK(NAME) stack_mark_address(STACK_MARK_##NAME)

static inline uint64_t stack_mark_address(enum stack_mark mark)
{
	return (uint64_t)-4096 - (uint64_t)mark;
}

/* What to show for such an address; NULL: it is an ordinary one. */
static inline const char *stack_mark_text(uint64_t address)
{
#define STACK_MARK_TEXT(NAME, TEXT) [STACK_MARK_##NAME] = TEXT,
	static const char *const texts[] = { STACK_MARKS(STACK_MARK_TEXT) };
#undef STACK_MARK_TEXT
	const uint64_t mark = (uint64_t)-4096 - address;

	return mark < STACK_MARKS_END ? texts[mark] : (const char *)0;
}

#endif
