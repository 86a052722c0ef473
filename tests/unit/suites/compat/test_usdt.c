// SPDX-License-Identifier: GPL-2.0
/* USDT: the notes of probes in ELF files, good and broken, and where arguments are. */
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/semaphores/keeper.h"
#include "compat/usdt/arguments.h"
#include "compat/usdt/notes.h"
#include "tests/unit/unit.h"

Suite *suite_usdt(void);

/* ---- arguments ---- */

/*
 * What `text` says, in words: "s4 REGISTER+OFFSET" is a register (where pt_regs has it), "u8 [...]"
 * memory, "s4 =N" a number; "" is refused.
 */
static const struct {
	uint16_t machine;
	bool narrow;			/* the kernel has 32 bits */
	const char *text, *says;
} operands[] = {
	{ EM_X86_64, 0, "8@%rdi", "u8 di+112" },
	{ EM_X86_64, 0, "-4@%eax", "s4 ax+80" },
	{ EM_X86_64, 0, "2@%cx", "u2 cx+88" },
	{ EM_X86_64, 0, "-1@%al", "s1 ax+80" },
	{ EM_X86_64, 0, "1@%ah", "" },
	{ EM_X86_64, 0, "1@%sil", "u1 si+104" },
	{ EM_X86_64, 0, "1@%bpl", "u1 bp+32" },
	{ EM_X86_64, 0, "8@%r8", "u8 r8+72" },
	{ EM_X86_64, 0, "-4@%r9d", "s4 r9+64" },
	{ EM_X86_64, 0, "2@%r10w", "u2 r10+56" },
	{ EM_X86_64, 0, "1@%r15b", "u1 r15+0" },
	{ EM_X86_64, 0, "8@%r16", "" },
	{ EM_X86_64, 0, "8@%r7", "" },
	{ EM_X86_64, 0, "8@%eax", "" },
	{ EM_X86_64, 0, "-4@%ax", "s2 ax+80" },
	{ EM_X86_64, 0, "-4@$5", "s4 =5" },
	{ EM_X86_64, 0, "-4@$-5", "s4 =-5" },
	{ EM_X86_64, 0, "8@$0x10", "u8 =16" },
	{ EM_X86_64, 0, "8@$18446744073709551615", "u8 =-1" },
	{ EM_X86_64, 0, "-4@-12(%rbp)", "s4 [bp+32 -12]" },
	{ EM_X86_64, 0, "8@(%rax)", "u8 [ax+80 0]" },
	{ EM_X86_64, 0, "-4@8(%rax,%rdx,4)", "s4 [ax+80 8 dx+96<<2]" },
	{ EM_X86_64, 0, "8@(%rax,%rdx)", "u8 [ax+80 0 dx+96<<0]" },
	{ EM_X86_64, 0, "8@16(,%rcx,8)", "u8 [16 cx+88<<3]" },
	{ EM_X86_64, 0, "4@(%rax,%rdx,3)", "" },
	{ EM_X86_64, 0, "4@{4096}(%rip)", "u4 [ip+128 4096]" },
	{ EM_X86_64, 0, "4@{-4096}(%rip)", "u4 [ip+128 -4096]" },
	{ EM_X86_64, 0, "4@counter(%rip)", "" },
	{ EM_X86_64, 0, "4@8(%rip)", "" },
	{ EM_X86_64, 0, "8@%xmm0", "" },
	{ EM_X86_64, 0, "8f@%rax", "" },
	{ EM_X86_64, 0, "16@%rax", "" },
	{ EM_X86_64, 0, "3@%rax", "" },
	{ EM_X86_64, 0, "%rax", "u8 ax+80" },
	{ EM_X86_64, 0, "8@99999999999(%rax)", "" },
	{ EM_X86_64, 0, "8@8(%rax", "" },
	{ EM_X86_64, 0, "8@8(%rax)x", "" },
	{ EM_X86_64, 0, "8@", "" },
	{ EM_X86_64, 0, "8@%fs:0x28", "" },
	{ EM_386, 1, "-4@%eax", "s4 ax+24" },
	{ EM_386, 1, "4@8(%ebp)", "u4 [bp+20 8]" },
	{ EM_386, 1, "4@(%esi,%ebx,4)", "u4 [si+12 0 bx+0<<2]" },
	{ EM_386, 1, "8@%rax", "" },
	{ EM_386, 1, "4@%r8d", "" },
	{ EM_386, 0, "4@8(%esp)", "u4 [sp+152 8]" },
	{ EM_AARCH64, 0, "8@x0", "u8 x0+0" },
	{ EM_AARCH64, 0, "-4@w19", "s4 x19+152" },
	{ EM_AARCH64, 0, "8@sp", "u8 sp+248" },
	{ EM_AARCH64, 0, "8@x30", "u8 x30+240" },
	{ EM_AARCH64, 0, "8@x31", "" },
	{ EM_AARCH64, 0, "-4@5", "s4 =5" },
	{ EM_AARCH64, 0, "-4@-1", "s4 =-1" },
	{ EM_AARCH64, 0, "8@#7", "u8 =7" },
	{ EM_AARCH64, 0, "8@[sp, 16]", "u8 [sp+248 16]" },
	{ EM_AARCH64, 0, "-4@[x29,-20]", "s4 [x29+232 -20]" },
	{ EM_AARCH64, 0, "8@[sp]", "u8 [sp+248 0]" },
	{ EM_AARCH64, 0, "8@[sp, x1]", "u8 [sp+248 0 x1+8<<0]" },
	{ EM_AARCH64, 0, "8@[x19, x1, lsl 3]", "u8 [x19+152 0 x1+8<<3]" },
	{ EM_AARCH64, 0, "4@[x2, w1, sxtw 2]", "u4 [x2+16 0 x1+8<<2 signed]" },
	{ EM_AARCH64, 0, "4@[x2, w1, uxtw]", "u4 [x2+16 0 x1+8<<0]" },
	{ EM_AARCH64, 0, "8@[sp, x1", "" },
	{ EM_AARCH64, 0, "8@[x0, :lo12:counter]", "" },
	{ EM_AARCH64, 0, "8@8(x0)", "" },
	{ EM_AARCH64, 0, "8@d0", "" },
	{ EM_ARM, 1, "4@r0", "u4 r0+0" },
	{ EM_ARM, 1, "-4@r11", "s4 fp+44" },
	{ EM_ARM, 1, "4@[r7, #4]", "u4 [r7+28 4]" },
	{ EM_ARM, 1, "4@[fp, #-8]", "u4 [fp+44 -8]" },
	{ EM_ARM, 1, "4@[r3, r2, lsl #2]", "u4 [r3+12 0 r2+8<<2]" },
	{ EM_ARM, 1, "-4@#-1", "s4 =-1" },
	{ EM_ARM, 1, "4@sl", "u4 r10+40" },
	{ EM_ARM, 1, "4@pc", "" },
	{ EM_ARM, 1, "-8@r2", "" },
	{ EM_ARM, 1, "-8@[r7]", "s8 [r7+28 0]" },
	{ EM_RISCV, 0, "8@a0", "u8 a0+80" },
	{ EM_RISCV, 0, "-4@s1", "s4 s1+72" },
	{ EM_RISCV, 0, "8@s11", "u8 s11+216" },
	{ EM_RISCV, 0, "8@t6", "u8 t6+248" },
	{ EM_RISCV, 0, "8@-40(s0)", "u8 [s0+64 -40]" },
	{ EM_RISCV, 0, "-4@5", "s4 =5" },
	{ EM_RISCV, 0, "8@zero", "" },
	{ EM_PPC64, 0, "8@3", "u8 r3+24" },
	{ EM_PPC64, 0, "-4@%r9", "s4 r9+72" },
	{ EM_PPC64, 0, "-4@i5", "s4 =5" },
	{ EM_PPC64, 0, "-4@i-5", "s4 =-5" },
	{ EM_PPC64, 0, "8@32(1)", "u8 [r1+8 32]" },
	{ EM_PPC64, 0, "8@-16(%r31)", "u8 [r31+248 -16]" },
	{ EM_PPC64, 0, "-4@0(10)", "s4 [r10+80 0]" },
	{ EM_PPC64, 0, "8@9,10", "u8 [r9+72 0 r10+80<<0]" },
	{ EM_PPC64, 0, "8@32", "" },
	{ EM_S390, 0, "8@%r2", "u8 r2+40" },
	{ EM_S390, 0, "-4@160(%r15)", "s4 [r15+144 160]" },
	{ EM_S390, 0, "8@160(%r1,%r15)", "u8 [r15+144 160 r1+32<<0]" },
	{ EM_S390, 0, "-4@5", "s4 =5" },
	{ EM_S390, 0, "8@%f0", "" },
	{ EM_S390, 0, "8@%r16", "" },
	{ EM_SPARC, 0, "8@%r1", "" },
};

static void say_register(const struct usdt_register *r, char *text, size_t size)
{
	size_t n = strlen(text);

	snprintf(text + n, size - n, "%s+%u", r->name, r->offset);
}

static void say_argument(const struct usdt_argument *a, char *text, size_t size)
{
	size_t n;

	snprintf(text, size, "%c%u ", a->is_signed ? 's' : 'u', a->size);
	n = strlen(text);
	if (a->where == USDT_NUMBER)
		snprintf(text + n, size - n, "=%lld", (long long)a->value);
	else if (a->where == USDT_REGISTER)
		say_register(&a->base, text, size);
	if (a->where != USDT_MEMORY)
		return;
	snprintf(text + n, size - n, "[");
	if (a->has_base)
		say_register(&a->base, text, size);
	n = strlen(text);
	snprintf(text + n, size - n, "%s%lld%s", a->has_base ? " " : "", (long long)a->value,
		 a->has_index ? " " : "");
	if (a->has_index)
		say_register(&a->index, text, size);
	n = strlen(text);
	if (a->has_index)
		snprintf(text + n, size - n, "<<%u%s", a->shift, a->index_signed ? " signed" : "");
	strcat(text, "]");
}

START_TEST(operand)
{
	const struct arch *kernel = operands[_i].machine == EM_386 && !operands[_i].narrow ?
				    arch_by_name("x86_64") : arch_by_elf(operands[_i].machine);
	struct usdt_argument a;
	struct error err;
	char text[160] = "";

	if (!usdt_argument(operands[_i].text, 1, operands[_i].machine, kernel, &a, &err))
		say_argument(&a, text, sizeof(text));
	ck_assert_msg(!strcmp(text, operands[_i].says), "machine %u: %s is '%s', not '%s'",
		      operands[_i].machine, operands[_i].text, text, operands[_i].says);
}
END_TEST

START_TEST(several)
{
	static const char text[] = " 8@%rdi  -4@$5 8@[sp, 16] 4@(%rax, %rdx) ";
	const struct arch *x86_64 = arch_by_name("x86_64"), *aarch64 = arch_by_name("aarch64");
	struct usdt_argument a;
	struct error err = { };

	ck_assert_uint_eq(usdt_arguments(text), 4);
	ck_assert_uint_eq(usdt_arguments(""), 0);
	ck_assert_int_eq(usdt_argument(text, 2, EM_X86_64, x86_64, &a, &err), 0);
	ck_assert_int_eq(a.value, 5);
	ck_assert_int_eq(usdt_argument(text, 3, EM_AARCH64, aarch64, &a, &err), 0);
	ck_assert_int_eq(a.value, 16);
	ck_assert_int_eq(usdt_argument(text, 5, EM_X86_64, x86_64, &a, &err), -1);
	ck_assert_str_eq(err.text, "the probe has 4 arguments, no arg5");
	ck_assert_int_eq(usdt_argument("8@%xmm1", 1, EM_X86_64, x86_64, &a, &err), -1);
	ck_assert_str_eq(err.text, "its arg1 is `%xmm1`, which is no number, no register and no "
				   "memory that probes can read");
}
END_TEST

START_TEST(symbols)
{
	size_t n;
	const char *at = usdt_symbol("8@%rax 4@counter+8(%rip) 8@16(%rbx)", &n);

	ck_assert_ptr_nonnull(at);
	ck_assert_msg(n == 7 && !strncmp(at, "counter", 7), "%s", at);
	ck_assert_ptr_null(usdt_symbol("8@%rax 8@16(%rbx) 8@$name", &n));
}
END_TEST

/* ---- notes ---- */

/* A library: headers, code from 0x1000 on in memory, data from 0x2000 on, and notes. */
#define CODE_AT		0x400
#define DATA_AT		0x500
#define NOTES_AT	0x600
#define FILE_SIZE	0xa00
#define SECTION_NAMES	"\0.note.stapsdt\0.stapsdt.base\0counter"

#define LIBRARY(BITS) \
struct library##BITS { \
	Elf##BITS##_Ehdr head; \
	Elf##BITS##_Phdr segments[2]; \
	Elf##BITS##_Shdr sections[5]; \
	Elf##BITS##_Sym symbols[2]; \
	char names[sizeof(SECTION_NAMES)]; \
}; \
\
static void make##BITS(uint8_t *file, uint16_t machine, size_t notes) \
{ \
	struct library##BITS l = { \
		.head = { \
			.e_machine = machine, .e_phoff = offsetof(struct library##BITS, segments), \
			.e_shoff = offsetof(struct library##BITS, sections), .e_phnum = 2, \
			.e_shnum = 5, .e_shstrndx = 1, \
			.e_phentsize = sizeof(l.segments[0]), \
			.e_shentsize = sizeof(l.sections[0]), \
		}, \
		.segments = { \
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x1000, \
			  .p_offset = CODE_AT, .p_filesz = 0x100 }, \
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = 0x2000, \
			  .p_offset = DATA_AT, .p_filesz = 0x100 }, \
		}, \
		.sections = { \
			{ }, \
			{ .sh_type = SHT_STRTAB, \
			  .sh_offset = offsetof(struct library##BITS, names), \
			  .sh_size = sizeof(l.names) }, \
			{ .sh_type = SHT_NOTE, .sh_name = 1, .sh_offset = NOTES_AT, \
			  .sh_size = (Elf##BITS##_Xword)notes }, \
			{ .sh_type = SHT_PROGBITS, .sh_name = 15, .sh_addr = 0x1080 }, \
			{ .sh_type = SHT_SYMTAB, .sh_link = 1, \
			  .sh_offset = offsetof(struct library##BITS, symbols), \
			  .sh_size = sizeof(l.symbols), .sh_entsize = sizeof(l.symbols[0]) }, \
		}, \
		.symbols = { \
			{ }, \
			{ .st_name = 29, .st_value = 0x2040, .st_shndx = 1, \
			  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT) }, \
		}, \
		.names = SECTION_NAMES, \
	}; \
	_Static_assert(sizeof(l) <= CODE_AT, "the headers fit"); \
	memcpy(l.head.e_ident, ELFMAG, SELFMAG); \
	l.head.e_ident[EI_VERSION] = EV_CURRENT; \
	l.head.e_ident[EI_CLASS] = ELFCLASS##BITS; \
	l.head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : \
		ELFDATA2LSB; \
	memcpy(file, &l, sizeof(l)); \
}
LIBRARY(32)
LIBRARY(64)

struct notes {
	uint8_t bytes[FILE_SIZE - NOTES_AT];
	size_t n;
	unsigned int word;
};

static void put(struct notes *to, const void *bytes, size_t n)
{
	ck_assert_uint_le(to->n + n, sizeof(to->bytes));
	memcpy(to->bytes + to->n, bytes, n);
	to->n += n;
}

static void put_address(struct notes *to, uint64_t address)
{
	uint32_t narrow = (uint32_t)address;

	put(to, to->word == 8 ? (void *)&address : &narrow, to->word);
}

static void add_note(struct notes *to, uint64_t address, uint64_t base, uint64_t semaphore,
		     const char *provider, const char *name, const char *arguments)
{
	size_t own = 3 * to->word + strlen(provider) + strlen(name) + strlen(arguments) + 3;
	uint32_t head[] = { 8, (uint32_t)own, 3 };

	put(to, head, sizeof(head));
	put(to, "stapsdt", 8);
	put_address(to, address);
	put_address(to, base);
	put_address(to, semaphore);
	put(to, provider, strlen(provider) + 1);
	put(to, name, strlen(name) + 1);
	put(to, arguments, strlen(arguments) + 1);
	put(to, "\0\0", (4 - own % 4) % 4);
}

static void say_note(void *arg, const struct usdt_note *note)
{
	char *text = arg;
	size_t n = strlen(text);

	snprintf(text + n, 1024 - n, "%s:%s at %llx semaphore %llx arguments %s%s\n",
		 note->provider, note->name, (unsigned long long)note->position,
		 (unsigned long long)note->semaphore, note->arguments,
		 note->thumb ? " thumb" : "");
}

static int read_library(const uint8_t *file, size_t size, char text[1024], struct error *err)
{
	int fd = memfd_create("library", MFD_CLOEXEC), result;

	ck_assert_int_eq(write(fd, file, size), (ssize_t)size);
	*text = '\0';
	result = usdt_notes(fd, say_note, text, err);
	close(fd);
	return result;
}

static void make(uint8_t file[FILE_SIZE], const struct notes *notes, uint16_t machine)
{
	memset(file, 0, FILE_SIZE);
	(notes->word == 8 ? make64 : make32)(file, machine, notes->n);
	memcpy(file + NOTES_AT, notes->bytes, notes->n);
}

START_TEST(good_notes)
{
	struct notes notes = { .word = _i ? 4 : 8 };
	uint8_t file[FILE_SIZE];
	struct error err = { };
	char text[1024];
	static const uint32_t other[] = { 4, 4, 1, 0x554e47, 7 };

	add_note(&notes, 0x1010, 0x1080, 0x2002, "app", "begin", _i ? "4@%eax" : "8@%rdi -4@$5");
	put(&notes, other, sizeof(other));
	add_note(&notes, 0x1020, 0, 0, "app", "end", "");
	/* The linker moved all by 0x10 afterwards. */
	add_note(&notes, 0x1020, 0x1070, 0x1ff2, "app", "moved", "");
	/* Nowhere: no code is there. */
	add_note(&notes, 0x5000, 0x1080, 0, "app", "lost", "");
	make(file, &notes, _i ? EM_386 : EM_X86_64);
	ck_assert_msg(!read_library(file, sizeof(file), text, &err), "%s", err.text);
	ck_assert_str_eq(text, _i ? "app:begin at 410 semaphore 502 arguments 4@%eax\n"
				    "app:end at 420 semaphore 0 arguments \n"
				    "app:moved at 430 semaphore 502 arguments \n" :
			 "app:begin at 410 semaphore 502 arguments 8@%rdi -4@$5\n"
			 "app:end at 420 semaphore 0 arguments \n"
			 "app:moved at 430 semaphore 502 arguments \n");
}
END_TEST

/* The others are there still. */
START_TEST(long_texts)
{
	struct notes notes = { .word = 8 };
	char text[1024], many[600], most[512];
	uint8_t file[FILE_SIZE];
	struct error err = { };

	memset(many, 'x', sizeof(many));
	many[sizeof(many) - 1] = '\0';
	memset(most, 'y', sizeof(most));
	most[sizeof(most) - 1] = '\0';
	add_note(&notes, 0x1010, 0, 0, "app", "begin", "");
	add_note(&notes, 0x1020, 0, 0, _i ? "app" : many, _i ? many : "long", "");
	add_note(&notes, 0x1030, 0, 0, "app", "end", "");
	make(file, &notes, EM_X86_64);
	ck_assert_msg(!read_library(file, sizeof(file), text, &err), "%s", err.text);
	ck_assert_str_eq(text, "app:begin at 410 semaphore 0 arguments \n"
			       "app:end at 430 semaphore 0 arguments \n");
	notes.n = 0;
	add_note(&notes, 0x1010, 0, 0, "app", most, "");
	make(file, &notes, EM_X86_64);
	ck_assert_msg(!read_library(file, sizeof(file), text, &err), "%s", err.text);
	ck_assert_ptr_nonnull(strstr(text, most));
}
END_TEST

START_TEST(placed_symbols)
{
	struct notes notes = { .word = 8 };
	uint8_t file[FILE_SIZE];
	struct error err = { };
	char text[1024];

	add_note(&notes, 0x1010, 0, 0, "app", "one", "-4@counter(%rip) 8@counter+8(%rip) 8@%rax");
	add_note(&notes, 0x1020, 0, 0, "app", "two", "4@unknown(%rip) 4@counter-4(%rip)");
	make(file, &notes, EM_X86_64);
	ck_assert_msg(!read_library(file, sizeof(file), text, &err), "%s", err.text);
	ck_assert_str_eq(text, "app:one at 410 semaphore 0 arguments -4@{4144}(%rip) "
			       "8@{4152}(%rip) 8@%rax\n"
			       "app:two at 420 semaphore 0 arguments 4@unknown(%rip) "
			       "4@{4124}(%rip)\n");
}
END_TEST

/* Which instructions it is on tells the instruction that does nothing. */
START_TEST(thumb_code)
{
	static const uint32_t nops[] = { 0xe1a00000, 0xe320f000, 0xbf00bf00 };
	struct notes notes = { .word = 4 };
	uint8_t file[FILE_SIZE];
	struct error err = { };
	char text[1024];

	add_note(&notes, 0x1010, 0, 0, "app", "one", "4@r0");
	make(file, &notes, EM_ARM);
	memcpy(file + CODE_AT + 0x10, &nops[_i], 4);
	ck_assert_int_eq(read_library(file, sizeof(file), text, &err), 0);
	ck_assert_int_eq(strstr(text, "thumb") != NULL, _i == 2);
}
END_TEST

/* Whatever number is anywhere in the notes or headers, reading ends and harms nobody. */
START_TEST(broken_notes)
{
	static const uint32_t values[] = { 0, 1, 3, 0x7fffffff, 0xffffffff, 0x600, 0xfffffffc };
	struct notes notes = { .word = _i ? 4 : 8 };
	uint8_t file[FILE_SIZE], bad[FILE_SIZE];
	struct error err = { };
	char text[1024];
	unsigned int failed = 0;

	add_note(&notes, 0x1010, 0x1080, 0x2002, "app", "begin", "8@counter(%rip)");
	add_note(&notes, 0x1020, 0x1080, 0, "app", "end", "");
	make(file, &notes, _i ? EM_386 : EM_X86_64);
	for (size_t at = 0; at + 4 <= NOTES_AT + notes.n; at += 4) {
		if (at >= CODE_AT && at < NOTES_AT)
			continue;
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			memcpy(bad, file, sizeof(bad));
			memcpy(bad + at, &values[v], 4);
			failed += read_library(bad, sizeof(bad), text, &err) != 0;
		}
	}
	ck_assert_uint_gt(failed, 10);
	for (size_t size = 0; size < sizeof(file); size += 7)
		read_library(file, size, text, &err);
}
END_TEST

/* ---- semaphores ---- */

static const struct {
	const char *line;
	bool is_data;
	struct data_mapping says;
} lines[] = {
	{ "7f1000-7f3000 rw-p 0001f000 08:01 4711    /usr/bin/app\n", true,
	  { 0x7f1000, 0x7f3000, 0x1f000, 4711, 8, 1 } },
	{ "7f1000-7f3000 rw-p 0001f000 fd:1a 4711 /usr/bin/app (deleted)\n", true,
	  { 0x7f1000, 0x7f3000, 0x1f000, 4711, 0xfd, 0x1a } },
	{ "7f1000-7f3000 rw-s 0001f000 08:01 4711 /dev/shm/x\n", false },
	{ "7f1000-7f3000 r-xp 0001f000 08:01 4711 /usr/bin/app\n", false },
	{ "7f1000-7f3000 rw-p 00000000 00:00 0 [heap]\n", false },
	{ "7f1000", false },
	{ "", false },
};

START_TEST(mapping)
{
	const struct data_mapping *says = &lines[_i].says;
	struct data_mapping m = { };

	ck_assert_int_eq(keeper_mapping(lines[_i].line, &m), lines[_i].is_data);
	if (lines[_i].is_data)
		ck_assert(m.from == says->from && m.to == says->to && m.offset == says->offset &&
			  m.ino == says->ino && m.major == says->major &&
			  m.minor == says->minor);
}
END_TEST

Suite *suite_usdt(void)
{
	Suite *s = suite_create("usdt");

	add_tests(s, "operand", operand, (int)(sizeof(operands) / sizeof(operands[0])));
	add_tests(s, "several", several, 1);
	add_tests(s, "symbols", symbols, 1);
	add_tests(s, "good_notes", good_notes, 2);
	add_tests(s, "placed_symbols", placed_symbols, 1);
	add_tests(s, "thumb_code", thumb_code, 3);
	add_tests(s, "mapping", mapping, (int)(sizeof(lines) / sizeof(lines[0])));
	add_tests(s, "long_texts", long_texts, 2);
	add_tests(s, "broken_notes", broken_notes, 2);
	return s;
}
