// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_elf SECONDS [SEED]: gives the reader of ELF files what nobody linked: this program itself,
 * and a small library of each class, cut, spliced and with numbers put where headers, tables and
 * names say where things are. Meant for a build with ASan and UBSan: whatever it finds ends the
 * process. A file that takes more than a second of CPU time to read is an error, too. The same seed
 * makes the same files.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "compat/arch/arch.h"
#include "compat/user/elf.h"
#include "compat/usdt/arguments.h"
#include "compat/usdt/notes.h"
#include "tests/fuzz/random.h"

#define SIZE		(1 << 20)	/* of a file, at most */
#define CHANGES		12
#define TOO_LONG_MS	1000

struct fuzz {
	uint64_t state;
	uint8_t *seeds[3];
	size_t sizes[3];
	uint8_t bytes[SIZE];
	size_t n;
	uint64_t files, read, functions, notes, slowest_ms;
};

static uint64_t next(struct fuzz *f)
{
	return random_next(&f->state);
}

static uint64_t below(struct fuzz *f, uint64_t n)
{
	return next(f) % n;
}

static uint64_t number(struct fuzz *f)
{
	static const uint64_t edges[] = {
		0, 1, 2, 7, 8, 16, 23, 24, 40, 56, 63, 64, 0xff, 0x100, 0xfff, 0x1000, 0x7fff,
		0xffff, 0x10000, SIZE, SIZE - 1,
		0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, INT64_MAX, 1ULL << 63, UINT64_MAX,
		UINT64_MAX - 7,
	};

	return next(f) & 1 ? edges[below(f, sizeof(edges) / sizeof(edges[0]))] : below(f, SIZE);
}

#define TEXT "app\0begin\0-4@%eax 8@[sp, x1, lsl 3] 8@-8(%rax,%rdx,4) $5 4@fun+8(%rip)"

/*
 * Headers with a segment of code, a table of symbols and its names, and notes of probes; the rest
 * of the file is those.
 */
#define SMALL(BITS, MACHINE) \
static size_t small##BITS(uint8_t *to) \
{ \
	struct { \
		Elf##BITS##_Ehdr head; \
		Elf##BITS##_Phdr segments[3]; \
		Elf##BITS##_Shdr sections[6]; \
		Elf##BITS##_Sym symbols[64]; \
		char names[256]; \
		struct { uint32_t head[3]; char owner[8]; uint##BITS##_t at[3]; \
			 char text[96]; } notes[2]; \
	} *l = (void *)to; \
	const size_t symbols = (size_t)((uint8_t *)l->symbols - to), \
		names = (size_t)((uint8_t *)l->names - to); \
	\
	memset(l, 0, sizeof(*l)); \
	memcpy(l->head.e_ident, ELFMAG, SELFMAG); \
	l->head.e_ident[EI_VERSION] = EV_CURRENT; \
	l->head.e_ident[EI_CLASS] = ELFCLASS##BITS; \
	l->head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : \
		ELFDATA2LSB; \
	l->head.e_machine = MACHINE; \
	l->head.e_phoff = (size_t)((uint8_t *)l->segments - to); \
	l->head.e_shoff = (size_t)((uint8_t *)l->sections - to); \
	l->head.e_phnum = 3; \
	l->head.e_shnum = 6; \
	l->head.e_shstrndx = 3; \
	l->head.e_phentsize = sizeof(l->segments[0]); \
	l->head.e_shentsize = sizeof(l->sections[0]); \
	for (int i = 0; i < 3; i++) { \
		l->segments[i].p_type = PT_LOAD; \
		l->segments[i].p_flags = i ? PF_R | PF_X : PF_R; \
		l->segments[i].p_vaddr = 0x1000u * (unsigned int)i; \
		l->segments[i].p_filesz = sizeof(*l); \
	} \
	for (int i = 1; i < 5; i++) { \
		l->sections[i].sh_type = i == 1 ? SHT_DYNSYM : i == 2 ? SHT_SYMTAB : SHT_STRTAB; \
		l->sections[i].sh_link = (unsigned int)i + 2; \
		l->sections[i].sh_offset = i < 3 ? symbols : names; \
		l->sections[i].sh_size = i < 3 ? sizeof(l->symbols) : sizeof(l->names); \
		l->sections[i].sh_entsize = sizeof(l->symbols[0]); \
	} \
	for (unsigned int i = 1; i < 64; i++) { \
		l->symbols[i].st_name = 4 * i; \
		l->symbols[i].st_value = 0x1000 + 8 * i; \
		l->symbols[i].st_shndx = 1; \
		l->symbols[i].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC); \
		memcpy(l->names + 4 * i, "fun", 4); \
	} \
	memcpy(l->names + 240, ".note.stapsdt", 14); \
	l->sections[5].sh_type = SHT_NOTE; \
	l->sections[5].sh_name = 240; \
	l->sections[5].sh_offset = (size_t)((uint8_t *)l->notes - to); \
	l->sections[5].sh_size = sizeof(l->notes); \
	for (unsigned int i = 0; i < 2; i++) { \
		l->notes[i].head[0] = 8; \
		l->notes[i].head[1] = sizeof(l->notes[i].at) + sizeof(l->notes[i].text); \
		l->notes[i].head[2] = 3; \
		memcpy(l->notes[i].owner, "stapsdt", 8); \
		l->notes[i].at[0] = 0x1010; \
		memcpy(l->notes[i].text, TEXT, sizeof(TEXT)); \
	} \
	return sizeof(*l); \
}
SMALL(32, EM_ARM)
SMALL(64, EM_PPC64)

/* This program, with the headers of its sections, which are at its end, brought near. */
static size_t own(uint8_t *to)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, to, SIZE);

	if (fd >= 0)
		close(fd);
	return n > 0 ? (size_t)n : 0;
}

static void make(struct fuzz *f)
{
	unsigned int seed = (unsigned int)below(f, 8), changes = (unsigned int)below(f, CHANGES);

	seed = seed == 7 ? 2 : seed & 1;
	f->n = f->sizes[seed];
	memcpy(f->bytes, f->seeds[seed], f->n);
	/* Arguments of this machine may name symbols. */
	if (seed == 1 && below(f, 2))
		f->bytes[offsetof(Elf64_Ehdr, e_machine)] = EM_X86_64;
	for (unsigned int i = 0; i < changes && f->n > 16; i++) {
		uint64_t value = number(f), width = 1u << below(f, 4);
		/* Most of what matters is in front. */
		uint64_t at = below(f, below(f, 4) ? (f->n < 1024 ? f->n : 1024) : f->n);

		switch (below(f, 8)) {
		case 0:
			f->n = below(f, f->n) + 1;
			break;
		case 1:
			width = below(f, 256);
			value = below(f, f->n);
			if (at + width <= f->n && value + width <= f->n)
				memmove(f->bytes + at, f->bytes + value, width);
			break;
		case 2:
			f->bytes[at] ^= 1u << below(f, 8);
			break;
		default:
			at &= ~(width - 1);
			if (at + width <= f->n)
				memcpy(f->bytes + at, &value, width);
		}
	}
	/* Sometimes long, and empty there. */
	if (!below(f, 16) && f->n < SIZE) {
		memset(f->bytes + f->n, 0, SIZE - f->n);
		f->n = SIZE;
	}
}

static void count(void *arg, const char *name, uint64_t position, enum elf_function what)
{
	struct fuzz *f = arg;

	(void)what;
	/* Names can be read to their end, and places are in the file. */
	if (strlen(name) > SIZE || position > 2 * (uint64_t)SIZE)
		abort();
	f->functions++;
}

static void note(void *arg, const struct usdt_note *n)
{
	struct fuzz *f = arg;
	struct usdt_argument a;
	struct error err = { };

	if (strlen(n->provider) + strlen(n->name) + strlen(n->arguments) > 3 * USDT_TEXT ||
	    n->position > 2 * (uint64_t)SIZE || n->semaphore > 2 * (uint64_t)SIZE)
		abort();
	for (unsigned int i = 1; i <= usdt_arguments(n->arguments); i++)
		usdt_argument(n->arguments, i, i & 1 ? EM_X86_64 : EM_AARCH64, arch_own(), &a,
			      &err);
	f->notes++;
}

static uint64_t now_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void give(struct fuzz *f, int fd)
{
	struct elf_kind kind;
	struct error err = { };
	uint64_t begin = now_ms(CLOCK_PROCESS_CPUTIME_ID), took;

	if (ftruncate(fd, 0) || pwrite(fd, f->bytes, f->n, 0) != (ssize_t)f->n)
		exit(2);
	elf_kind_of(fd, &kind, &err);
	f->files++;
	f->read += !elf_functions(fd, count, f, &err);
	usdt_notes(fd, note, f, &err);
	took = now_ms(CLOCK_PROCESS_CPUTIME_ID) - begin;
	f->slowest_ms = took > f->slowest_ms ? took : f->slowest_ms;
	if (took > TOO_LONG_MS)
		fprintf(stderr, "file %" PRIu64 " took %" PRIu64 " ms\n", f->files, took);
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10,
		end = now_ms(CLOCK_MONOTONIC) + 1000 * seconds;
	int fd = memfd_create("library", MFD_CLOEXEC);

	f.state = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
	printf("fuzz_elf: seed %" PRIu64 "\n", f.state);
	for (int i = 0; i < 3; i++) {
		f.sizes[i] = (i == 0 ? small32 : i == 1 ? small64 : own)(f.bytes);
		f.seeds[i] = malloc(f.sizes[i] + 1);
		if (!f.seeds[i])
			return 2;
		memcpy(f.seeds[i], f.bytes, f.sizes[i]);
	}
	while (now_ms(CLOCK_MONOTONIC) < end) {
		make(&f);
		give(&f, fd);
	}
	printf("fuzz_elf: %" PRIu64 " files, %" PRIu64 " of them read, %" PRIu64 " functions, %"
	       PRIu64 " notes, %" PRIu64 " ms at most\n", f.files,
	       f.read, f.functions, f.notes, f.slowest_ms);
	return f.slowest_ms > TOO_LONG_MS ? 1 : 0;
}
