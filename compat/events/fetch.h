/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FETCH_H
#define SONDE_FETCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"

/*
 * One input as the hook table writes it: NAME=FETCH[:TYPE], in the notation of ftrace's fetch
 * arguments:
 *
 *	FIELD		a field of a tracepoint
 *	FIELD[N]	element N of a field that is an array, from 0: of words, or of numbers of
 *			its TYPE
 *	$argN		argument N of the probed function, from 1
 *	$sysN		argument N of the probed system call, whether its function gets the
 *			arguments or a pt_regs
 *	$retval		the return value
 *	$rethigh	its upper half, if a number takes two registers
 *	$sp		the stack pointer
 *	$popped		bytes that a return pops: $sp at the call is lower by so much
 *	$current	the current task's struct task_struct, for BPF only
 *	$compat		not 0 in a system call of a 32-bit task of a 64-bit kernel; its number is
 *			of another table
 *	$word		the size of a pointer on this kernel, bytes
 *	N		a number, the same for every event of the probe
 *	+OFF(FETCH)	memory of the kernel at FETCH + OFF; +uOFF(...): of user space
 *	+{MEMBER}(FETCH)	the same; OFF is the offset of a member, file.f_path.dentry, on
 *				this kernel (compat/types/offsets.h)
 *
 * TYPE is one of
 *
 *	u8 to u64, s8 to s64	a number (u64 if left out; for a FIELD by its format)
 *	be16		a number in network order
 *	string, ustring	a text of kernel or user memory, at the address of the outermost +OFF
 *	ustring/N	the same; N bytes are enough
 *	urow		as ustring, of a row of pointers: if the text can be read, so could the
 *			pointers
 *	name		as string, of a struct filename, which has a buffer of PATH_MAX bytes
 *	uname		the same of user memory, cut off at PATH_MAX bytes
 *	entry		as string, of a name in a directory: at most 1 KB
 *	cN		N bytes, at most 128
 *	*STRUCT		a pointer to this struct, as a number
 *
 * NAME[] with OFF = K*[] is a row of inputs, NAME[0], NAME[1], ... W instead of K, or instead of
 * the size in uW and sW, is the size of a pointer on this kernel. In a function of user space all
 * memory is user memory. An input NAME? may be missing if the kernel has no such field; if any
 * other input is missing, the alternative is not used.
 */
#define STEP_WORD (-1)
#define SIZE_WORD 0xff
#define NO_ELEMENT (-1)

/* CALLER: the return address of a function of user space, at its beginning; only for `caller` */
enum fetch_base { FETCH_FIELD, FETCH_ARG, FETCH_SYS, FETCH_RETVAL, FETCH_RETHIGH, FETCH_SP,
		  FETCH_POPPED, FETCH_CALLER, FETCH_NUMBER, FETCH_WORD, FETCH_CURRENT,
		  FETCH_COMPAT };
enum fetch_type { TYPE_DEFAULT, TYPE_NUMBER, TYPE_TEXT, TYPE_NAME, TYPE_BYTES };

struct fetch {
	char name[24];
	bool optional, indexed;
	enum fetch_base base;
	char field[48];
	/* the argument's number, the element's or NO_ELEMENT, or the number itself */
	int64_t number;
	unsigned int derefs;
	struct {
		/* step: multiplied by the index; STEP_WORD: the size of a pointer */
		int32_t offset, step;
		bool user;
		char member[48];	/* its offset is added; empty: none */
	} deref[4];		/* innermost first */
	enum fetch_type type;
	uint8_t size;		/* TYPE_NUMBER, TYPE_BYTES: bytes; SIZE_WORD: of a pointer */
	bool is_signed, user;
	bool network_order;
	bool is_short;		/* TYPE_TEXT: an entry */
	bool is_row;		/* TYPE_TEXT: of pointers */
	uint16_t enough;	/* TYPE_TEXT: bytes that are enough; 0: all are wanted */
	char pointed[32];	/* TYPE_NUMBER: the struct that the pointer is to; or empty */
};

/*
 * Parses one item, and moves *text behind it. Returns 1; 0 if none is left; -1, and sets err, if it
 * is invalid.
 */
int fetch_next(const char **text, struct fetch *f, struct error *err);

#endif
