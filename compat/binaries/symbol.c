// SPDX-License-Identifier: GPL-2.0
/* Symbols of a file, of data too: their addresses as the file has them. */
#include <stdlib.h>
#include <string.h>

#include "compat/binaries/binaries_internal.h"
#include "compat/user/elf_file.h"
#include "compat/user/guard.h"

struct search_symbol {
	int fd;
	const char *name;
	uint64_t position;
	struct symbol_answer {
		struct binary_symbol symbol;
		bool found, several, global;
		struct error err;
	} answer;
};

/* A symbol that others see comes before those of one source file. */
static void compare(void *arg, const GElf_Sym *symbol, const char *name)
{
	struct search_symbol *s = arg;
	struct symbol_answer *a = &s->answer;
	const unsigned int type = GELF_ST_TYPE(symbol->st_info);
	const bool global = GELF_ST_BIND(symbol->st_info) != STB_LOCAL;

	if (symbol->st_shndx == SHN_UNDEF || type > STT_FUNC || strcmp(name, s->name) ||
	    (a->global && !global))
		return;
	a->several = a->found && a->global == global &&
		     (a->several || a->symbol.address != symbol->st_value);
	a->found = true;
	a->global = global;
	a->symbol.address = symbol->st_value;
	a->symbol.size = symbol->st_size;
}

static void look(void *arg, int to)
{
	struct search_symbol *s = arg;
	struct elf_file *e = calloc(1, sizeof(*e));
	struct symbol_answer *a = &s->answer;

	if (!e || elf_file_open(e, s->fd, &a->err)) {
		if (!e)
			fail(&a->err, "out of memory");
	} else if (!elf_file_symbols(e, SHT_DYNSYM, compare, s) &&
		   !elf_file_symbols(e, SHT_SYMTAB, compare, s)) {
		for (unsigned int i = 0; i < e->n_code; i++)
			if (s->position - e->code[i].at < e->code[i].size)
				a->symbol.code = e->code[i].from + s->position - e->code[i].at;
	}
	guard_send(to, a, sizeof(*a), -1);
}

static void take(void *arg, const void *message, size_t size, int fd)
{
	struct search_symbol *s = arg;

	(void)fd;
	if (size == sizeof(s->answer))
		memcpy(&s->answer, message, size);
}

int binary_symbol(struct kernel *k, const struct binary *b, const char *name, uint64_t position,
		  struct binary_symbol *to, struct error *err)
{
	const struct file *f = (const struct file *)((const char *)b -
						     offsetof(struct file, binary));
	struct search_symbol s = { .fd = f->fd, .name = name, .position = position };
	const struct guarded g = { .work = look, .take = take, .arg = &s, .file = &s.fd,
				   .stop = kernel_stop(k), .ms = SILENCE_MS };

	if (f->fd < 0)
		return fail(err, "a snapshot has no files");
	if (guard_run(&g) != GUARD_DONE)
		return fail(err, "%s can't be read", b->path);
	if (*s.answer.err.text)
		return fail_with(err, s.answer.err.number, "%s: %.200s", b->path,
				 s.answer.err.text);
	if (!s.answer.found)
		return fail(err, "%s has no symbol `%s` (`nm` and `nm -D` list its symbols)",
			    b->path, name);
	if (s.answer.several)
		return fail(err, "%s has several symbols `%s`", b->path, name);
	*to = s.answer.symbol;
	return 0;
}
