/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACK_MARK_H
#define SONDE_STACK_MARK_H

#include <stdint.h>

/*
 * Marks: an address of a stack that is not in a function, but says why the stack ends there. They
 * are in the last pages of the address space, which never have functions; perf's own marks are
 * above them.
 */
#define STACK_MARKS(MARK) \
	/* The kernel did not record the stack. */ \
	MARK(LOST, "[lost: not recorded]") \
	/* ftrace's stacks of user space have room for 8 addresses. */ \
	MARK(CUT_AT_8, "[cut at 8]") \
	/* The copy of the stack's memory ends here. */ \
	MARK(CUT_DUMP, "[cut: stack dump]") \
	/* The function's file does not tell how to get to the caller. */ \
	MARK(NO_TABLE, "[cut: no unwind table]") \
	/* The file tells how, but the values in memory there are wrong. */ \
	MARK(BROKEN, "[cut: broken stack]") \
	/* Programs that walk by themselves have room for 32 addresses (STACK_WALKED). */ \
	MARK(CUT_AT_32, "[cut at 32]") \
	/* The memory is unmapped, or reading it would block. */ \
	MARK(UNREADABLE, "[cut: unreadable]") \
	/* The next frame is not further up on the same stack. */ \
	MARK(LEFT, "[cut: another stack]") \
	/* Frames of a 32-bit program of a 64-bit kernel have another form. */ \
	MARK(NARROW, "[cut: 32-bit program]") \
	/* The stack goes on behind this mark: the kernel's address for this caller was wrong. */ \
	MARK(CALLER, "[unknown caller]") \
	/* The next address may or may not be the caller: not decided yet. Never shown. */ \
	MARK(TOLD, "[may be its caller]") \
	/* Which file is mapped there is unknown: events about mappings were lost. */ \
	MARK(NO_MAPPING, "[cut: mapping unknown]")

/*
 * The index of an address that POWER's kernel reads from where the newest function saves its return
 * address. A function that calls nothing does not save it: the address may then be 0, or in sonde's
 * own tables the mark CALLER, and the stack goes on behind it.
 */
#define STACK_SAVED	2

#define STACK_MARK_NUMBER(NAME, TEXT) STACK_MARK_##NAME,
enum stack_mark { STACK_MARKS(STACK_MARK_NUMBER) STACK_MARKS_END };

#define STACK_MARK(NAME) stack_mark_address(STACK_MARK_##NAME)

/* The address that means a mark. */
static inline uint64_t stack_mark_address(enum stack_mark mark)
{
	return (uint64_t)-4096 - (uint64_t)mark;
}

/* The text of a mark. Returns NULL if the address is no mark. */
static inline const char *stack_mark_text(uint64_t address)
{
#define STACK_MARK_TEXT(NAME, TEXT) [STACK_MARK_##NAME] = TEXT,
	static const char *const texts[] = { STACK_MARKS(STACK_MARK_TEXT) };
#undef STACK_MARK_TEXT
	const uint64_t mark = (uint64_t)-4096 - address;

	return mark < STACK_MARKS_END ? texts[mark] : (const char *)0;
}

#endif
