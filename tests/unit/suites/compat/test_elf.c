// SPDX-License-Identifier: GPL-2.0
/* The reader of ELF files: what it finds in good ones, and that broken ones harm nobody. */
#include "compat/user/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compat/user/guard.h"
#include "compat/probing/running.h"
#include "compat/binaries/binaries.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

/* This very program. */
START_TEST(sections)
{
	static const char *const some[] = { ".gopclntab", ".text", NULL };
	static const char *const none[] = { ".gopclntab", ".tex", ".text.", NULL };
	int fd = open("/proc/self/exe", O_RDONLY);
	struct error err = { };

	ck_assert_int_eq(elf_has_section(fd, some, &err), 1);
	ck_assert_int_eq(elf_has_section(fd, none, &err), 0);
	close(fd);
	fd = open("/proc/self/maps", O_RDONLY);
	ck_assert_int_eq(elf_has_section(fd, some, &err), -1);
	close(fd);
}
END_TEST

Suite *suite_elf(void);

/*
 * A library of one class: code of 0x100 bytes from 0x1000 on in memory, 0x400 in the file; four
 * symbols.
 */
#define CODE		0x1000
#define CODE_AT		0x400
#define CODE_SIZE	0x100
#define FILE_SIZE	0x800
#define SYMBOLS		5
#define STRINGS		"\0first\0second\0elsewhere\0data"

#define LIBRARY(BITS) \
struct library##BITS { \
	Elf##BITS##_Ehdr head; \
	Elf##BITS##_Phdr segments[2]; \
	Elf##BITS##_Shdr sections[3]; \
	Elf##BITS##_Sym symbols[SYMBOLS]; \
	char strings[sizeof(STRINGS)]; \
}; \
\
static void make##BITS(uint8_t *file, uint16_t machine) \
{ \
	struct library##BITS l = { \
		.head = { \
			.e_machine = machine, .e_phoff = offsetof(struct library##BITS, segments), \
			.e_shoff = offsetof(struct library##BITS, sections), .e_phnum = 2, \
			.e_shnum = 3, \
			.e_phentsize = sizeof(l.segments[0]), \
			.e_shentsize = sizeof(l.sections[0]), \
		}, \
		.segments = { \
			{ .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = 0x400 }, \
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = CODE, \
			  .p_offset = CODE_AT, \
			  .p_filesz = CODE_SIZE, .p_memsz = 2 * CODE_SIZE }, \
		}, \
		.sections = { \
			{ }, \
			{ .sh_type = SHT_DYNSYM, .sh_link = 2, \
			  .sh_offset = offsetof(struct library##BITS, symbols), \
			  .sh_size = sizeof(l.symbols), .sh_entsize = sizeof(l.symbols[0]) }, \
			{ .sh_type = SHT_STRTAB, \
			  .sh_offset = offsetof(struct library##BITS, strings), \
			  .sh_size = sizeof(l.strings) }, \
		}, \
		.symbols = { \
			{ }, \
			{ .st_name = 1, .st_value = CODE, .st_shndx = 1, \
			  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) }, \
			{ .st_name = 7, .st_value = CODE + 0x40, .st_shndx = 1, \
			  .st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC) }, \
			{ .st_name = 14, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) }, \
			{ .st_name = 24, .st_value = CODE + 8, .st_shndx = 1, \
			  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT) }, \
		}, \
		.strings = STRINGS, \
	}; \
	memcpy(l.head.e_ident, ELFMAG, SELFMAG); \
	l.head.e_ident[EI_VERSION] = EV_CURRENT; \
	l.head.e_ident[EI_CLASS] = ELFCLASS##BITS; \
	l.head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : \
		ELFDATA2LSB; \
	memcpy(file, &l, sizeof(l)); \
}
LIBRARY(32)
LIBRARY(64)

static int file_of(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("library", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	return fd;
}

struct found {
	char text[512];
};

static void note(void *arg, const char *name, uint64_t position, enum elf_function what)
{
	static const char *const words[] = { "", " thumb", " chooses" };
	struct found *f = arg;
	size_t n = strlen(f->text);

	snprintf(f->text + n, sizeof(f->text) - n, "%s %llx%s\n", name,
		 (unsigned long long)position, words[what]);
}

static void functions(const uint8_t *bytes, size_t size, struct found *f, struct error *err,
		      int result)
{
	int fd = file_of(bytes, size);

	memset(f, 0, sizeof(*f));
	ck_assert_msg(elf_functions(fd, note, f, err) == result, "%s", err ? err->text : "");
	close(fd);
}

START_TEST(good_files)
{
	uint8_t file[FILE_SIZE] = { };
	struct elf_kind kind;
	struct error err = { };
	struct found f;
	int fd;

	(_i ? make32 : make64)(file, _i ? EM_386 : EM_X86_64);
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "first 400\nsecond 440\n");
	fd = file_of(file, sizeof(file));
	ck_assert_int_eq(elf_kind_of(fd, &kind, &err), 0);
	ck_assert_uint_eq(kind.machine, _i ? EM_386 : EM_X86_64);
	ck_assert_uint_eq(kind.word, _i ? 4 : 8);
	close(fd);
}
END_TEST

START_TEST(kinds_of_code)
{
	uint8_t file[FILE_SIZE] = { };
	struct library32 *l = (void *)file;
	struct error err = { };
	struct found f;

	make32(file, EM_ARM);
	l->symbols[2].st_value |= 1;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "first 400\nsecond 440 thumb\n");
	make32(file, EM_386);
	l->symbols[2].st_value |= 1;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "first 400\nsecond 441\n");
	/* What is there is not the function of that name. */
	make32(file, EM_386);
	l->symbols[2].st_info = ELF32_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "first 400\nsecond 440 chooses\n");
}
END_TEST

/* The second entry of a function, where the ABI has two. */
START_TEST(local_entry)
{
	uint8_t file[FILE_SIZE] = { };
	struct library64 *l = (void *)file;
	struct error err = { };
	struct found f;

	make64(file, EM_PPC64);
	l->head.e_flags = 2;
	l->symbols[1].st_other = 3 << 5;
	l->symbols[2].st_other = 1 << 5;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "first 408\nsecond 440\n");
	l->head.e_flags = 1;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "first 400\nsecond 440\n");
}
END_TEST

/*
 * A function where no code is loaded from: beyond the segment, in one that is not code, beyond the
 * end of the file.
 */
START_TEST(nowhere)
{
	uint8_t file[FILE_SIZE] = { };
	struct library64 *l = (void *)file;
	struct error err = { };
	struct found f;

	make64(file, EM_X86_64);
	l->symbols[1].st_value = CODE + CODE_SIZE;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "second 440\n");
	l->symbols[1].st_value = 0x100;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "second 440\n");
	l->symbols[1].st_value = CODE;
	l->segments[1].p_offset = FILE_SIZE - 0x10;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "first 7f0\n");
	l->segments[1].p_offset = UINT64_MAX - 0x10;
	functions(file, sizeof(file), &f, &err, 0);
	ck_assert_str_eq(f.text, "");
}
END_TEST

/* One member that is wrong, and what is said of it; NULL: that is nothing to complain of. */
#define AT(MEMBER)	offsetof(struct library64, MEMBER), sizeof(((struct library64 *)0)->MEMBER)
static const struct {
	size_t at, size;
	uint64_t value;
	const char *says, *finds;
} broken[] = {
	{ AT(head.e_ident[1]), 'X', "not an ELF", "" },
	{ AT(head.e_ident[EI_CLASS]), 3, "of this machine", "" },
	{ AT(head.e_ident[EI_DATA]), 7, "of this machine", "" },
	{ AT(head.e_phentsize), 32, "an unknown size", "" },
	{ AT(head.e_shentsize), 1, "an unknown size", "" },
	{ AT(head.e_phoff), FILE_SIZE - 8, "beyond its end", "" },
	{ AT(head.e_phoff), UINT64_MAX - 8, "beyond its end", "" },
	{ AT(head.e_shoff), FILE_SIZE, "beyond its end", "" },
	{ AT(head.e_shnum), 0xffff, "beyond its end", "" },
	{ AT(head.e_shnum), 0, NULL, "" },
	{ AT(head.e_phnum), 0, NULL, "" },
	{ AT(sections[1].sh_link), 3, "is broken", "" },
	{ AT(sections[1].sh_link), UINT32_MAX, "is broken", "" },
	{ AT(sections[1].sh_link), 1, "is broken", "" },
	{ AT(sections[1].sh_entsize), 0, "is broken", "" },
	{ AT(sections[1].sh_offset), UINT64_MAX, "beyond its end", "" },
	{ AT(sections[1].sh_size), UINT64_MAX - 23, "beyond its end", "" },
	/* half a symbol at the end */
	{ AT(sections[1].sh_size), 71, NULL, "first 400\n" },
	{ AT(sections[2].sh_size), UINT64_MAX, "beyond its end", "" },
	/* a name that does not end */
	{ AT(sections[2].sh_size), 4, NULL, "fir 400\n" },
	{ AT(sections[2].sh_size), 0, NULL, "" },
	{ AT(symbols[1].st_name), UINT32_MAX, NULL, "second 440\n" },
	{ AT(symbols[1].st_value), UINT64_MAX, NULL, "second 440\n" },
	{ AT(segments[1].p_vaddr), UINT64_MAX, NULL, "" },
	{ AT(segments[1].p_filesz), UINT64_MAX, NULL, "first 400\nsecond 440\n" },
};

START_TEST(broken_files)
{
	uint8_t file[FILE_SIZE] = { };
	struct error err = { };
	struct found f;

	make64(file, EM_X86_64);
	/* its low end: little-endian machines */
	memcpy(file + broken[_i].at, &broken[_i].value, broken[_i].size);
	functions(file, sizeof(file), &f, &err, broken[_i].says ? -1 : 0);
	ck_assert_str_eq(f.text, broken[_i].finds);
	if (broken[_i].says)
		ck_assert_msg(strstr(err.text, broken[_i].says) != NULL, "%s", err.text);
}
END_TEST

/*
 * Cut anywhere, and with any byte changed: it may find less or complain, but reads nothing that is
 * not there.
 */
START_TEST(any_damage)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t used = _i ? sizeof(struct library32) : sizeof(struct library64);
	uint8_t file[FILE_SIZE] = { };
	int fd;

	(_i ? make32 : make64)(file, _i ? EM_ARM : EM_PPC64);
	fd = file_of(file, sizeof(file));
	for (size_t at = 0; at < used; at++) {
		for (size_t v = 0; v < sizeof(values); v++) {
			struct found f = { };

			ck_assert_int_eq(pwrite(fd, &values[v], 1, (off_t)at), 1);
			elf_functions(fd, note, &f, NULL);
		}
		ck_assert_int_eq(pwrite(fd, file + at, 1, (off_t)at), 1);
	}
	for (size_t size = used; size--;) {
		struct found f = { };

		ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
		elf_functions(fd, note, &f, NULL);
	}
	close(fd);
}
END_TEST

/* What is no file at all. */
START_TEST(no_files)
{
	static const char *const paths[] = { "/dev/null", "/", "/proc/self/cmdline" };
	int fd = open(paths[_i], O_RDONLY | O_CLOEXEC);
	struct elf_kind kind;
	struct error err = { };

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(elf_kind_of(fd, &kind, &err), -1);
	ck_assert_int_eq(elf_functions(fd, note, NULL, &err), -1);
	ck_assert_str_ne(err.text, "");
	close(fd);
}
END_TEST

/* What the user names instead of what would be found. */
START_TEST(named_binary)
{
	static const char *const first[] = { "nosuch", "first", NULL },
		*const none[] = { "nosuch", NULL };
	char path[] = "/tmp/sonde-unit-XXXXXX";
	uint8_t file[FILE_SIZE] = { };
	struct kernel *k = kernel_running();
	const struct arch_abi *abi = &kernel_arch(k)->abis[0];
	const struct place *places;
	struct error err = { };
	int fd = mkstemp(path);

	(abi->word == 4 ? make32 : make64)(file, abi->machine);
	ck_assert_int_eq(write(fd, file, sizeof(file)), sizeof(file));
	ck_assert_int_eq(kernel_binary(k, "bash", path, first, &err), 0);
	ck_assert_int_eq(kernel_places(k, "bash:first|second", &places, &err), 1);
	ck_assert_str_eq(places[0].symbol, "first");
	ck_assert_uint_eq(places[0].address, CODE_AT);
	ck_assert_str_eq(places[0].binary->path, path);
	ck_assert_int_eq(kernel_places(k, "bash:nosuch|second|first", &places, &err), 1);
	ck_assert_str_eq(places[0].symbol, "second");
	ck_assert_uint_eq(places[0].address, CODE_AT + 0x40);
	ck_assert_int_eq(kernel_places(k, "bash:nosuch|seconds", &places, &err), -1);
	ck_assert_msg(strstr(err.text, path) && strstr(err.text, "has no function nosuch"), "%s",
		      err.text);
	ck_assert_int_eq(kernel_binary(k, "bash", path, none, &err), -1);
	ck_assert_msg(strstr(err.text, "has no function nosuch") != NULL, "%s", err.text);
	ck_assert_int_eq(kernel_binary(k, "libc", "/nosuch/libc.so.6", none, &err), -1);
	ck_assert_msg(strstr(err.text, "can't be opened") != NULL, "%s", err.text);
	ck_assert_int_eq(kernel_binary(k, "libc", "/dev/null", none, &err), -1);
	ck_assert_msg(strstr(err.text, "can't be probed: it is not a file") != NULL, "%s",
		      err.text);
	file[offsetof(struct library64, head.e_machine)] ^= 0xff;
	ck_assert_int_eq(pwrite(fd, file, sizeof(file), 0), sizeof(file));
	ck_assert_int_eq(kernel_binary(k, "libreadline", path, none, &err), -1);
	ck_assert_msg(strstr(err.text, "can't be probed on this kernel: it is a program or "
				       "library of") != NULL, "%s", err.text);
	close(fd);
	unlink(path);
	kernel_free(k);
}
END_TEST

/* ---- files that are made to be read for long ---- */

#define BIG_SYMBOLS	1000000u
#define BIG_SEGMENTS	65534u
#define BIG_SECTIONS	65000u

struct big {
	Elf64_Ehdr head;
	Elf64_Phdr segments[BIG_SEGMENTS];
	Elf64_Shdr sections[BIG_SECTIONS];
	Elf64_Sym symbols[BIG_SYMBOLS];
	char strings[64];
};

enum hostile { MANY_SEGMENTS, MANY_CODE, MANY_TABLES, MANY_SYMBOLS, LONG_NAMES, HOSTILE };

/*
 * All symbols are functions of one name, each at an address of its own; the code begins the file.
 */
static int big_file(enum hostile what, size_t *size)
{
	int fd = memfd_create("library", MFD_CLOEXEC);
	struct big *b;

	*size = sizeof(*b) + (what == LONG_NAMES ? 31 << 20 : 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)*size), 0);
	b = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(b, MAP_FAILED);
	make64((uint8_t *)b, EM_X86_64);
	b->head.e_phoff = offsetof(struct big, segments);
	b->head.e_shoff = offsetof(struct big, sections);
	b->head.e_phnum = BIG_SEGMENTS;
	b->head.e_shnum = what == MANY_TABLES ? BIG_SECTIONS : 3;
	memset(b->segments, 0, sizeof(b->segments));
	for (unsigned int i = 0; i < BIG_SEGMENTS; i++)
		b->segments[i] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = what == MANY_CODE ||
					       i == 7 ? PF_X : PF_R,
					       .p_filesz = sizeof(*b) };
	b->sections[0] = (Elf64_Shdr){ };
	b->sections[1] = b->sections[2] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
							.sh_offset = offsetof(struct big, strings),
							.sh_size = *size - offsetof(struct big,
										    strings) };
	for (unsigned int i = 2; i < (what == MANY_TABLES ? BIG_SECTIONS : 3u); i++)
		b->sections[i] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = 1,
					       .sh_entsize = sizeof(Elf64_Sym),
					       .sh_offset = offsetof(struct big, symbols),
					       .sh_size = sizeof(b->symbols) };
	for (unsigned int i = 0; i < BIG_SYMBOLS; i++)
		b->symbols[i] = (Elf64_Sym){ .st_name = 1, .st_value = 8 * i + 64, .st_shndx = 1,
					     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) };
	if (what == LONG_NAMES)
		memset(b->strings, 'x', *size - offsetof(struct big, strings));
	memcpy(b->strings, "\0getaddrinfo", what == LONG_NAMES ? 12 : 13);
	munmap(b, *size);
	return fd;
}

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void count(void *arg, const char *name, uint64_t position, enum elf_function what)
{
	(void)position;
	(void)what;
	*(unsigned int *)arg += !strncmp(name, "getaddrinfo", 11);
}

START_TEST(hostile_files)
{
	static const struct {
		const char *says;
		unsigned int finds;
	} rows[HOSTILE] = {
		[MANY_SEGMENTS] = { NULL, BIG_SYMBOLS }, [MANY_CODE] = { "segments of code", 0 },
		[MANY_TABLES] = { "more than one table", 0 },
		[MANY_SYMBOLS] = { NULL, BIG_SYMBOLS },
		[LONG_NAMES] = { NULL, BIG_SYMBOLS },
	};
	struct error err = { };
	unsigned int n = 0;
	double begin;
	size_t size;
	int fd = big_file((enum hostile)_i, &size);

	begin = seconds_now();
	ck_assert_msg(elf_functions(fd, count, &n, &err) == (rows[_i].says ? -1 : 0), "%s",
		      err.text);
	ck_assert_double_lt(seconds_now() - begin, 3);
	ck_assert_uint_eq(n, rows[_i].finds);
	if (rows[_i].says)
		ck_assert_msg(strstr(err.text, rows[_i].says) != NULL, "%s", err.text);
	close(fd);
}
END_TEST

/* Was something too much to be looked at, as these words say? */
static bool is_limited(struct kernel *k, const char *words)
{
	const struct lines *limits = kernel_binaries_limits(k);

	for (unsigned int i = 0; limits && i < limits->n; i++)
		if (strstr(limits->list[i], words))
			return true;
	return false;
}

/*
 * A million functions of a library's name: few places, and it is said; what is no file is not
 * opened.
 */
START_TEST(hostile_binaries)
{
	static const char *const name[] = { "getaddrinfo", NULL };
	struct kernel *k = kernel_running();
	const struct place *places;
	struct error err = { };
	char path[64];
	size_t size;
	int fd = big_file(_i ? LONG_NAMES : MANY_SYMBOLS, &size), n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (kernel_arch(k)->abis[0].machine == EM_X86_64 && !_i) {
		ck_assert_msg(!kernel_binary(k, "libc", path, name, &err), "%s", err.text);
		ck_assert_int_eq(kernel_binary(k, "libc", NULL, name, &err), 0);
		n = kernel_places(k, "libc:getaddrinfo", &places, &err);
		ck_assert_int_eq(n, -1);
		ck_assert(is_limited(k, "more than"));
	}
	close(fd);
	snprintf(path, sizeof(path), "/tmp/sonde-unit-fifo.%d", (int)getpid());
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(kernel_binary(k, "libc", path, name, &err), -1);
	ck_assert_msg(strstr(err.text, "is not a file") != NULL, "%s", err.text);
	unlink(path);
	kernel_free(k);
}
END_TEST

/*
 * What a file asks for when it is looked at again is not checked; there is a limit. Addresses only:
 * nothing is touched.
 */
static void ask_for_memory(void *arg, int to)
{
	void *volatile memory = malloc(GUARD_MEMORY);
	bool got = memory != NULL;

	(void)arg;
	guard_send(to, &got, sizeof(got), -1);
}

static void hear(void *arg, const void *message, size_t size, int fd)
{
	(void)fd;
	ck_assert_uint_eq(size, sizeof(bool));
	memcpy(arg, message, size);
}

START_TEST(limited_memory)
{
	bool got = true;
	const struct guarded g = { .work = ask_for_memory, .take = hear, .arg = &got, .ms = 5000 };

	ck_assert_int_eq(guard_run(&g), GUARD_DONE);
#ifndef __SANITIZE_ADDRESS__
	ck_assert(!got);
#endif
}
END_TEST

static void send_two(void *arg, int to)
{
	(void)arg;
	guard_send(to, "1", 1, 2);
	guard_send(to, "2", 1, 2);
}

/* Never closes them. */
static void keep_file(void *arg, const void *message, size_t size, int fd)
{
	(void)message;
	(void)size;
	ck_assert_int_ge(fd, 0);
	++*(int *)arg;
}

/* Room for the ends of the pair; the one of the process is closed, which leaves room for a file. */
START_TEST(no_room_for_files)
{
	int taken = 0, last = 0, fds[2], fd;
	const struct guarded g = { .work = send_two, .take = keep_file, .arg = &taken, .ms = 5000 };

	ck_assert(!setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 64, 64 }));
	while ((fd = dup(2)) >= 0)
		fds[last++ % 2] = fd;
	ck_assert(last > 1 && !close(fds[0]) && !close(fds[1]));
	ck_assert_int_eq(guard_run(&g), GUARD_FAILED);
	ck_assert_int_eq(errno, EMFILE);
	ck_assert_int_eq(taken, 1);
}
END_TEST

/* What a reader tries that a file has taken over; a row each. */
static int write_file(void)
{
	return open("/tmp", O_RDWR | O_TMPFILE, 0600);
}

static int make_file(void)
{
	return open("/dev/null", O_RDONLY | O_CREAT, 0600);
}

static int read_file(void)
{
	return open("/dev/null", O_RDONLY);
}

static int find_file(void)
{
	return open("/dev/null", O_PATH | O_NOFOLLOW);
}

static int make_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int send_signal(void)
{
	return kill(getppid(), 0);
}

static int run_program(void)
{
	return execl("/bin/true", "true", NULL);
}

static int make_process(void)
{
	return (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static int trace_parent(void)
{
	return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) ? -1 : 0;
}

static int use_inherited(void)
{
	for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
		if (lseek(fd, 0, SEEK_CUR) >= 0)
			return fd;
	return -1;
}

static const struct {
	const char *name;
	int (*try)(void);
	bool opens, allowed;
} confined[] = {
	{ "writing", write_file, true, false },
	{ "making a file", make_file, true, false },
	{ "reading, where files are opened", read_file, true, true },
	{ "a path, where files are opened", find_file, true, true },
	{ "reading, where none is opened", read_file, false, false },
	{ "a socket", make_socket, true, false },
	{ "a signal", send_signal, true, false },
	{ "a program", run_program, true, false },
	{ "a process", make_process, false, false },
	{ "tracing", trace_parent, true, false },
	{ "a file that was open", use_inherited, false, false },
};

static void try_row(void *arg, int to)
{
	const bool done = confined[*(const int *)arg].try() >= 0;

	guard_send(to, &done, sizeof(done), -1);
}

static void hear_row(void *arg, const void *message, size_t size, int fd)
{
	(void)fd;
	ck_assert_uint_eq(size, sizeof(bool));
	*(int *)arg = *(const bool *)message;
}

START_TEST(readers_are_confined)
{
	int row = _i;
	const struct guarded g = { .work = try_row, .take = hear_row, .arg = &row,
				   .opens = confined[_i].opens, .ms = 5000 };

	/* A kernel with filters looks at the address first. */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) && errno != EFAULT)
		return;
	ck_assert(open("/dev/zero", O_RDONLY) >= 0);
	ck_assert_int_eq(guard_run(&g), GUARD_DONE);
	ck_assert_msg(row == confined[_i].allowed, "%s", confined[_i].name);
}
END_TEST

static void spin(void *arg, int to)
{
	(void)arg;
	(void)to;
	for (volatile unsigned int i = 0;; i++)
		;
}

static void sleep_on(void *arg, int to)
{
	(void)arg;
	(void)to;
	for (;;)
		sleep(1);
}

/* One takes all the time that it may take, and the other waits for what never comes. */
START_TEST(who_hangs)
{
	const struct guarded g = { .work = _i ? spin : sleep_on, .ms = 200 };

	ck_assert_int_eq(guard_run(&g), GUARD_HANGS);
}
END_TEST

#define MANY_FILES 3000

/*
 * In a process of its own: maps that many libraries, and waits. Its folder is the caller's to
 * remove.
 */
static void map_many(const char *folder, int ready)
{
	uint8_t file[4096] = { };
	char path[128];

	make64(file, EM_X86_64);
	for (int i = 0; i < MANY_FILES; i++) {
		int fd;

		snprintf(path, sizeof(path), "%s/libc.so.%d", folder, i);
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 || write(fd, file, sizeof(file)) != sizeof(file) ||
		    mmap(NULL, sizeof(file), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) ==
		    MAP_FAILED)
			_exit(1);
		close(fd);
	}
	if (write(ready, "", 1) == 1)
		pause();
	_exit(0);
}

static void *stop_soon(void *flag)
{
	usleep(20000);
	*(volatile sig_atomic_t *)flag = 1;
	return NULL;
}

/*
 * A process that has mapped thousands of libraries: some are taken, the rest is counted; a signal
 * is heard.
 */
START_TEST(hostile_process)
{
	char *folder = temporary(), word;
	volatile sig_atomic_t stop = 0;
	const struct place *places;
	struct kernel *k;
	struct error err = { };
	struct timespec begin, end;
	pthread_t thread;
	uint32_t id;
	int ready[2], n;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	if (!pid)
		map_many(folder, ready[1]);
	close(ready[1]);
	ck_assert_int_eq(read(ready[0], &word, 1), 1);
	k = kernel_running();
	id = (uint32_t)pid;
	kernel_set_processes(k, &id, 1);
	kernel_set_stop(k, &stop);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (_i)
		ck_assert_int_eq(pthread_create(&thread, NULL, stop_soon, (void *)&stop), 0);
	n = kernel_places(k, "libc:first", &places, &err);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ck_assert_int_lt(end.tv_sec - begin.tv_sec, 10);
	if (_i) {
		pthread_join(thread, NULL);
	} else if (kernel_arch(k)->abis[0].machine == EM_X86_64) {
		ck_assert_msg(n > 16 && n <= 64, "%d: %s", n, err.text);
		ck_assert(is_limited(k, "files that processes have mapped"));
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	kernel_free(k);
	remove_all(folder);
}
END_TEST

/* A search that failed is none: the next engine is not told that there are no such files. */
START_TEST(failed_search)
{
	const struct place *places;
	struct kernel *k = kernel_running();
	struct error first = { }, second = { }, third = { };
	uint32_t id = (uint32_t)getpid();
	struct rlimit files;

	kernel_set_processes(k, &id, 1);
	ck_assert(!getrlimit(RLIMIT_NOFILE, &files));
	ck_assert(!setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, files.rlim_max }));
	ck_assert_int_lt(kernel_places(k, "libc:first", &places, &first), 0);
	ck_assert_msg(strstr(first.text, "can't make a process") != NULL, "%s", first.text);
	ck_assert_int_lt(kernel_places(k, "libc:first", &places, &second), 0);
	ck_assert_str_eq(second.text, first.text);
	ck_assert(!setrlimit(RLIMIT_NOFILE, &files));
	ck_assert_int_lt(kernel_places(k, "libc:first", &places, &third), 0);
	ck_assert_msg(!strstr(third.text, "can't make a process"), "%s", third.text);
	kernel_free(k);
}
END_TEST

Suite *suite_elf(void)
{
	Suite *s = suite_create("elf");

	add_tests(s, "good files", good_files, 2);
	add_tests(s, "kinds of code", kinds_of_code, 1);
	add_tests(s, "local entry", local_entry, 1);
	add_tests(s, "nowhere", nowhere, 1);
	add_tests(s, "broken files", broken_files, (int)(sizeof(broken) / sizeof(broken[0])));
	add_tests(s, "sections", sections, 1);
	add_tests(s, "any damage", any_damage, 2);
	add_tests(s, "no files", no_files, 3);
	add_tests(s, "named by the user", named_binary, 1);
	add_tests(s, "hostile files", hostile_files, HOSTILE);
	add_tests(s, "hostile binaries", hostile_binaries, 2);
	add_tests(s, "limited memory", limited_memory, 1);
	add_tests(s, "no room for files", no_room_for_files, 1);
	add_tests(s, "failed search", failed_search, 1);
	add_tests(s, "hangs", who_hangs, 2);
	add_tests(s, "confined", readers_are_confined,
		  sizeof(confined) / sizeof(confined[0]));
	add_tests(s, "hostile process", hostile_process, 2);
	return s;
}
