// SPDX-License-Identifier: GPL-2.0
#include "compat/usdt/notes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/usdt/arguments.h"
#include "compat/user/elf_file.h"

#define SECTION		".note.stapsdt"
#define BASE_SECTION	".stapsdt.base"
#define NOTE_PROBE	3		/* the type of the notes */
#define SEGMENTS_MOST	64		/* segments of data */
#define SYMBOLS_MOST	16		/* symbols that the arguments of one file name */

struct symbol {
	char name[64];
	uint64_t address;
	bool known;
};

struct reader {
	struct elf_file file;
	int fd;
	struct elf_segment data[SEGMENTS_MOST];
	unsigned int n_data;
	uint64_t base;			/* address of the base section; 0: there is none */
	struct symbol symbols[SYMBOLS_MOST];
	unsigned int n_symbols;
	usdt_note_fn each;
	void *arg;
};

/* Bytes that are to be read. */
struct cursor {
	const uint8_t *at, *end;
};

/* The content of a probe's note: addresses, then texts. */
struct parts {
	uint64_t address, base, semaphore;
	char provider[USDT_TEXT], name[USDT_TEXT], arguments[USDT_TEXT];
	bool fit;			/* none of the texts is longer */
};

/* ---- bytes ---- */

static size_t word_of(const struct reader *r)
{
	return r->file.head.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
}

static bool take_address(const struct reader *r, struct cursor *c, uint64_t *value)
{
	const size_t word = word_of(r);
	uint32_t narrow;

	if ((size_t)(c->end - c->at) < word)
		return false;
	if (word == 8) {
		memcpy(value, c->at, 8);
	} else {
		memcpy(&narrow, c->at, 4);
		*value = narrow;
	}
	c->at += word;
	return true;
}

static bool take_text(struct cursor *c, char to[USDT_TEXT], bool *fits)
{
	const uint8_t *end = memchr(c->at, '\0', (size_t)(c->end - c->at));

	if (!end)
		return false;
	if (end - c->at < USDT_TEXT)
		memcpy(to, c->at, (size_t)(end - c->at) + 1);
	else
		*fits = false;
	c->at = end + 1;
	return true;
}

static bool take_parts(const struct reader *r, struct cursor c, struct parts *p)
{
	p->fit = true;
	return take_address(r, &c, &p->address) && take_address(r, &c, &p->base) &&
	       take_address(r, &c, &p->semaphore) && take_text(&c, p->provider, &p->fit) &&
	       take_text(&c, p->name, &p->fit) && take_text(&c, p->arguments, &p->fit) &&
	       (!p->fit || *p->name);
}

/* Parts of notes are padded to a multiple of 4 bytes. */
static bool take_padded(struct cursor *c, size_t n, struct cursor *part)
{
	const size_t left = (size_t)(c->end - c->at), padded = (n + 3) & ~(size_t)3;

	if (n > left)
		return false;
	*part = (struct cursor){ c->at, c->at + n };
	c->at += padded < left ? padded : left;
	return true;
}

/*
 * Returns 1 for a probe's note, 0 for another note or for a probe whose texts are too long, -1 if
 * the notes are broken.
 */
static int take_note(const struct reader *r, struct cursor *c, struct parts *p)
{
	static const char owner[] = "stapsdt";
	struct cursor name, own;
	uint32_t head[3];

	if ((size_t)(c->end - c->at) < sizeof(head))
		return -1;
	memcpy(head, c->at, sizeof(head));
	c->at += sizeof(head);
	if (!take_padded(c, head[0], &name) || !take_padded(c, head[1], &own))
		return -1;
	if (head[2] != NOTE_PROBE || head[0] != sizeof(owner) ||
	    memcmp(name.at, owner, sizeof(owner)))
		return 0;
	return take_parts(r, own, p) ? p->fit : -1;
}

/* ---- sections and segments ---- */

static int find_data(struct reader *r)
{
	const struct elf_file *e = &r->file;
	GElf_Phdr s;

	for (int i = 0; i < e->head.e_phnum && r->n_data < SEGMENTS_MOST; i++) {
		if (!gelf_getphdr(e->elf, i, &s))
			return fail(e->err, "it can't be read: %s", elf_errmsg(-1));
		if (s.p_type == PT_LOAD && (s.p_flags & PF_W))
			r->data[r->n_data++] = (struct elf_segment){ s.p_vaddr, s.p_filesz,
								     s.p_offset };
	}
	return 0;
}

/* Returns 0 if there is no such data in the file. */
static uint64_t data_position(const struct reader *r, uint64_t address)
{
	for (unsigned int i = 0; i < r->n_data; i++) {
		const struct elf_segment *s = &r->data[i];

		if (address >= s->from && address - s->from < s->size && s->at < r->file.size &&
		    address - s->from < r->file.size - s->at)
			return s->at + (address - s->from);
	}
	return 0;
}

/* Takes the first section of a name: a linker makes one. */
static int find_sections(struct reader *r, GElf_Shdr *notes)
{
	const struct elf_file *e = &r->file;
	struct elf_names names;
	GElf_Shdr section;
	int result = 0;

	*notes = (GElf_Shdr){ .sh_type = SHT_NULL };
	if (!e->head.e_shstrndx || e->head.e_shstrndx >= e->head.e_shnum)
		return 0;
	if (elf_file_section(e, e->head.e_shstrndx, &section))
		return -1;
	if (!section.sh_size)
		return 0;
	if (elf_file_names(e, &section, &names))
		return -1;
	for (size_t i = 1; i < e->head.e_shnum && !result; i++) {
		const char *name;

		result = elf_file_section(e, i, &section);
		name = result ? NULL : elf_name(&names, section.sh_name);
		if (!name)
			continue;
		if (section.sh_type == SHT_NOTE && notes->sh_type == SHT_NULL &&
		    !strcmp(name, SECTION))
			*notes = section;
		else if (!r->base && !strcmp(name, BASE_SECTION))
			r->base = section.sh_addr;
	}
	elf_names_free(&names);
	return result;
}

/* ---- symbols that arguments name ---- */

static bool want_symbol(struct reader *r, const char *name, size_t length)
{
	if (length >= sizeof(r->symbols[0].name) || r->n_symbols == SYMBOLS_MOST)
		return false;
	for (unsigned int i = 0; i < r->n_symbols; i++)
		if (strlen(r->symbols[i].name) == length &&
		    !memcmp(r->symbols[i].name, name, length))
			return false;
	memcpy(r->symbols[r->n_symbols].name, name, length);
	r->symbols[r->n_symbols++].name[length] = '\0';
	return true;
}

static void want_symbols(struct reader *r, const char *arguments)
{
	const char *at = arguments;
	size_t n;

	while ((at = usdt_symbol(at, &n))) {
		want_symbol(r, at, n);
		at += n;
		at += strcspn(at, " ");
	}
}

static void found_symbol(void *arg, const GElf_Sym *symbol, const char *name)
{
	struct reader *r = arg;

	if (symbol->st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol->st_info) != STT_OBJECT)
		return;
	for (unsigned int i = 0; i < r->n_symbols; i++)
		if (!strcmp(r->symbols[i].name, name)) {
			/* If several symbols have the name, it is unknown which one is meant. */
			r->symbols[i].known = !r->symbols[i].known ||
					      r->symbols[i].address == symbol->st_value;
			r->symbols[i].address = symbol->st_value;
			if (!r->symbols[i].known)
				r->symbols[i].name[0] = '\0';
		}
}

static const struct symbol *symbol_named(const struct reader *r, const char *name, size_t length)
{
	for (unsigned int i = 0; i < r->n_symbols; i++)
		if (r->symbols[i].known && strlen(r->symbols[i].name) == length &&
		    !memcmp(r->symbols[i].name, name, length))
			return &r->symbols[i];
	return NULL;
}

/* Replaces symbols by distances from the probe. Unknown symbols stay. */
static void place_symbols(const struct reader *r, uint64_t address, char text[USDT_TEXT])
{
	char room[USDT_TEXT], *at = text;
	struct strbuf done = strbuf_over(room, sizeof(room));
	const char *name;
	size_t length;

	while ((name = usdt_symbol(at, &length))) {
		const struct symbol *s = symbol_named(r, name, length);
		const char *rest = name + length;
		long long more = 0;
		char *end;

		if (*rest == '+' || *rest == '-') {
			more = strtoll(rest, &end, 10);
			rest = end;
		}
		if (s)
			strbuf_addf(&done, "%.*s{%lld}", (int)(name - at), at,
				    (long long)(s->address - address + (uint64_t)more));
		else
			strbuf_add(&done, at, (size_t)(rest - at));
		at += rest - at;
	}
	strbuf_addf(&done, "%s", at);
	if (!done.cut)
		strcpy(text, done.s);
}

/* ---- notes ---- */

/*
 * Thumb code is known without a symbol: a probe is on an instruction that does nothing, which
 * differs.
 */
static bool is_thumb(const struct reader *r, int64_t position)
{
	const struct arch *arch = arch_by_elf(r->file.head.e_machine);
	uint32_t code = 0;

	return arch && arch->thumb &&
	       pread(r->fd, &code, sizeof(code), position) == sizeof(code) &&
	       code != 0xe1a00000 && code != 0xe320f000;
}

static void hand_over(struct reader *r, struct parts *p)
{
	/* A tool that moved the code later (prelink) did not change the note. */
	const uint64_t moved = r->base && p->base ? r->base - p->base : 0;
	struct usdt_note note = {
		.provider = p->provider, .name = p->name, .arguments = p->arguments,
	};
	int64_t position = elf_file_position(&r->file, p->address + moved);

	if (position < 0)
		return;
	note.position = (uint64_t)position;
	if (p->semaphore)
		note.semaphore = data_position(r, p->semaphore + moved);
	note.thumb = is_thumb(r, position);
	if (r->n_symbols)
		place_symbols(r, p->address + moved, p->arguments);
	r->each(r->arg, &note);
}

static int go_through(struct reader *r, const Elf_Data *data, bool only_symbols)
{
	struct cursor c = { data->d_buf, (const uint8_t *)data->d_buf + data->d_size };
	unsigned int n = 0;
	struct parts p;

	while (c.at < c.end) {
		int found = take_note(r, &c, &p);

		if (found < 0)
			return fail(r->file.err, "its notes of probes are broken");
		if (n++ == USDT_NOTES_MOST)
			return fail(r->file.err, "it has more than %d notes of probes",
				    USDT_NOTES_MOST);
		if (found && only_symbols)
			want_symbols(r, p.arguments);
		else if (found)
			hand_over(r, &p);
	}
	return 0;
}

static int read_notes(struct reader *r)
{
	struct elf_file *e = &r->file;
	const struct arch *arch = arch_by_elf(e->head.e_machine);
	GElf_Shdr section;
	Elf_Data *data;

	if (find_data(r) || find_sections(r, &section))
		return -1;
	if (section.sh_type == SHT_NULL || !section.sh_size)
		return 0;
	data = elf_file_part(e, section.sh_offset, section.sh_size, ELF_T_BYTE);
	if (!data)
		return -1;
	if (arch && arch->syntax.by_distance && go_through(r, data, true))
		return -1;
	if (r->n_symbols && (elf_file_symbols(e, SHT_DYNSYM, found_symbol, r) ||
			     elf_file_symbols(e, SHT_SYMTAB, found_symbol, r)))
		return -1;
	return go_through(r, data, false);
}

int usdt_notes(int fd, usdt_note_fn each, void *arg, struct error *err)
{
	struct reader r = { .fd = fd, .each = each, .arg = arg };
	int result;

	if (elf_file_open(&r.file, fd, err))
		return -1;
	/* A file without sections has no notes. */
	if (!r.file.elf)
		return 0;
	result = read_notes(&r);
	elf_file_close(&r.file);
	return result;
}
