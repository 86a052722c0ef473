// SPDX-License-Identifier: GPL-2.0
#include "library.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compat/arch/arch.h"
#include "compat/base/text.h"

#define BYTE_ORDER_OF_ELF \
	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB)
#define CODE_SIZE 256		/* of a function, and some of what follows it */
#define NAME_SIZE 64

/* Thumb code has odd addresses, and can't be probed. */
#ifdef __arm__
#define PLAIN __attribute__((target("arm")))
#else
#define PLAIN
#endif

#define PROVIDER "sonde"
/* A statically defined probe (USDT), as <sys/sdt.h> has it: at the beginning of a function. */
struct note {
	uint32_t owner_size, size, type;
	char owner[8];
	uintptr_t address, base, semaphore;
	char texts[160];	/* the provider, the function's name, where arguments are */
} __attribute__((packed));

struct file {
	ElfW(Ehdr) head;
	ElfW(Phdr) segment;
	ElfW(Shdr) sections[5];
	ElfW(Sym) symbols[LIBRARY_FUNCTIONS + 1];
	char names[LIBRARY_FUNCTIONS + 1][NAME_SIZE];
	char sections_names[16];
	struct note notes[LIBRARY_FUNCTIONS];
	uint8_t code[LIBRARY_FUNCTIONS][CODE_SIZE] __attribute__((aligned(64)));
};

/* It runs wherever it is copied to: it uses only its arguments. */
PLAIN __attribute__((noinline, noclone, no_sanitize("address", "undefined")))
static void *through(const char *text, void *(*inner)(const char *text))
{
	void *result = inner(text);

	__asm__ volatile("" : "+r"(result));		/* no jump in place of the call */
	return result;
}

/* Where a probe is there is a nop; on 32-bit ARM it tells which instructions they are. */
static void copy_code(uint8_t *to)
{
#ifdef __arm__
	static const uint32_t nop = 0xe1a00000;
	const size_t n = sizeof(nop);

	memcpy(to, &nop, n);
#else
	const size_t n = 0;
#endif
	memcpy(to + n, (const void *)through, CODE_SIZE - n);
}

/* The function's name, behind its provider. */
static const char *function_name(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon ? colon + 1 : name;
}

static void add_note(struct note *n, const char *name, uintptr_t address)
{
	const char *function = function_name(name);
	const char *provider = function == name ? PROVIDER : name;
	const char *at = arch_own()->syntax.arguments;

	*n = (struct note){
		.owner_size = sizeof(n->owner), .type = 3, .owner = "stapsdt",
		.size = sizeof(*n) - offsetof(struct note, address), .address = address,
	};
	text_cut(n->texts, sizeof(n->texts), "%.*s%c%s%c%s %s", (int)strcspn(provider, ":"),
		 provider, 0, function, 0, at, at);
}

int library_write(const char *path, const char *const *names)
{
	struct file f = {
		.head = {
			.e_type = ET_DYN, .e_machine = arch_own()->abis[0].machine,
			.e_version = EV_CURRENT,
			.e_ehsize = sizeof(f.head),
			.e_phoff = offsetof(struct file, segment), .e_phnum = 1,
			.e_phentsize = sizeof(f.segment),
			.e_shoff = offsetof(struct file, sections), .e_shnum = 5,
			.e_shstrndx = 3,
			.e_shentsize = sizeof(f.sections[0]),
		},
		.segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = sizeof(f),
			     .p_memsz = sizeof(f) },
		.sections = {
			[1] = { .sh_type = SHT_DYNSYM, .sh_link = 2,
				.sh_offset = offsetof(struct file, symbols),
				.sh_size = sizeof(f.symbols), .sh_entsize = sizeof(f.symbols[0]) },
			[2] = { .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct file, names),
				.sh_size = sizeof(f.names) },
			[3] = { .sh_type = SHT_STRTAB,
				.sh_offset = offsetof(struct file, sections_names),
				.sh_size = sizeof(f.sections_names) },
			[4] = { .sh_type = SHT_NOTE, .sh_name = 1,
				.sh_offset = offsetof(struct file, notes) },
		},
		.sections_names = "\0.note.stapsdt",
	};
	int fd, failed;

	memcpy(f.head.e_ident, ELFMAG, SELFMAG);
	f.head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	f.head.e_ident[EI_DATA] = BYTE_ORDER_OF_ELF;
	f.head.e_ident[EI_VERSION] = EV_CURRENT;
	for (unsigned int i = 0; i < LIBRARY_FUNCTIONS && names[i]; i++) {
		text_all(f.names[i + 1], NAME_SIZE, "%s", function_name(names[i]));
		f.symbols[i + 1] = (ElfW(Sym)){
			.st_name = (i + 1) * NAME_SIZE, .st_value = offsetof(struct file, code) +
			i * CODE_SIZE,
			.st_size = CODE_SIZE, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = 1,
		};
		add_note(&f.notes[i], names[i], f.symbols[i + 1].st_value);
		f.sections[4].sh_size += sizeof(f.notes[i]);
		copy_code(f.code[i]);
	}
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (fd < 0)
		return -1;
	errno = ENOSPC;
	failed = write(fd, &f, sizeof(f)) != sizeof(f);
	return close(fd) || failed ? -1 : 0;
}

void *library_map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *base;

	if (fd < 0)
		return NULL;
	base = mmap(NULL, sizeof(struct file), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	return base == MAP_FAILED ? NULL : base;
}

library_function *library_at(void *base, unsigned int function)
{
	return (library_function *)(void *)((uint8_t *)base + offsetof(struct file, code) +
					    function * CODE_SIZE);
}
