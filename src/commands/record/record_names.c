// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/protobuf.h"
#include "src/lib/output/sink.h"
#include "src/lib/symbols/recorded/hits.h"

/* Sections; fields of simpleperf's message FileFeature (perf_symbols.c reads them). */
enum { BUILD_IDS = 2, META_INFO = 129, FILE2 = 132 };
enum { FILE_PATH = 1, FILE_TYPE, FILE_MIN_ADDRESS, FILE_SYMBOL, FILE_ELF = 6 };
enum { SYMBOL_ADDRESS = 1, SYMBOL_LENGTH, SYMBOL_NAME };
enum { TYPE_KERNEL, TYPE_ELF = 2 };

struct beginning {
	struct perf_writer *writer;
	struct error *err;
	int result;
};

static void begin_mapping(void *arg, const struct perf_written_mapping *m)
{
	struct beginning *b = arg;

	if (!b->result)
		b->result = perf_writer_mapping(b->writer, m, b->err);
}

int record_names_begin(struct perf_writer *w, const volatile sig_atomic_t *stop,
		       struct error *err)
{
	struct beginning b = { .writer = w, .err = err };

	return hits_mappings(stop, begin_mapping, &b, err) || b.result ? -1 : 0;
}

struct ending {
	struct strbuf files;		/* the section FILE2 */
	struct strbuf build_ids;	/* entries of the table of build ids */
	size_t functions;
};

/*
 * Positions in the file serve as its addresses: mappings lead to positions, and all that readers do
 * with addresses is to go back to these.
 */
static int add_file(void *arg, const struct hit_file *f)
{
	struct ending *e = arg;
	struct strbuf file = { }, symbol = { };
	uint32_t size;

	proto_bytes(&file, FILE_PATH, f->path, strlen(f->path));
	proto_number(&file, FILE_TYPE, f->kernel ? TYPE_KERNEL : TYPE_ELF);
	proto_number(&file, FILE_MIN_ADDRESS, 0);
	for (size_t i = 0; i < f->n; i++) {
		const struct hit *h = &f->list[i];

		symbol.n = 0;
		proto_number(&symbol, SYMBOL_ADDRESS, h->at);
		proto_number(&symbol, SYMBOL_LENGTH, h->end - h->at);
		proto_bytes(&symbol, SYMBOL_NAME, h->name, strlen(h->name));
		proto_bytes(&file, FILE_SYMBOL, symbol.s, symbol.n);
	}
	e->functions += f->n;
	size = (uint32_t)file.n;
	strbuf_add(&e->files, (const char *)&size, sizeof(size));
	strbuf_add(&e->files, file.s, file.n);
	e->files.cut |= file.cut || symbol.cut;
	if (f->build_id)
		perf_write_build_id(&e->build_ids, f->path, f->build_id);
	free(file.s);
	free(symbol.s);
	return e->files.cut || e->build_ids.cut ? -1 : 0;
}

/* Names of events, as simpleperf has them: a line each. */
static void add_meta(const struct perf_head *head, struct strbuf *to)
{
	strbuf_add(to, "simpleperf_version\0001", 21);
	strbuf_add(to, "event_type_info", 16);
	for (unsigned int i = 0; i < head->n_events; i++) {
		const struct perf_written *e = &head->events[i];

		strbuf_addf(to, "%s%s%s,%u,%" PRIu64 "\n", e->system, *e->system ? ":" : "",
			    e->name, e->attr.type, (uint64_t)e->attr.config);
	}
	strbuf_add(to, "", 1);
}

static int write_sections(struct perf_writer *w, const struct perf_head *head, struct ending *e,
			  struct error *err)
{
	struct strbuf meta = { }, ids = { };
	int result;

	if (head->code)
		perf_write_build_id(&ids, NULL, head->code->build_id);
	strbuf_add(&ids, e->build_ids.s ? e->build_ids.s : "", e->build_ids.n);
	add_meta(head, &meta);
	if (meta.cut || ids.cut)
		result = fail(err, "out of memory");
	else
		result = (ids.n && perf_writer_section(w, BUILD_IDS, ids.s, ids.n, err)) ||
			 perf_writer_section(w, META_INFO, meta.s, meta.n, err) ||
			 perf_writer_section(w, FILE2, e->files.s, e->files.n, err) ? -1 : 0;
	free(meta.s);
	free(ids.s);
	return result;
}

static void tell(const struct ending *e, const struct hits_lacks *l)
{
	fprintf(sink_err(), "sonde: record: %zu functions have their names in the file\n",
		e->functions);
	if (l->unopened)
		fprintf(sink_err(), "sonde: record: functions of %u files have no names in it: "
				    "they are gone, or can't be read\n", l->unopened);
	if (l->several)
		fprintf(sink_err(), "sonde: record: functions of %u files have no names in it: "
				    "other files had the same path\n", l->several);
	if (l->made)
		fprintf(sink_err(), "sonde: record: functions that processes made themselves (JIT) "
				    "have no names in it\n");
}

int record_names_end(struct perf_writer *w, const char *path, const struct perf_head *head,
		     const volatile sig_atomic_t *stop, struct error *err)
{
	struct hits_lacks lacks = { };
	struct ending e = { };
	struct error why = { };
	struct recording *recording = recording_open(path, stop, &why);
	int result = 0;

	/* A file without names is still worth its records. */
	if (!recording || hits_names(recording, stop, add_file, &e, &lacks, &why)) {
		fprintf(sink_err(), "sonde: record: functions have no names in %s: %s\n", path,
			why.text);
	} else if (e.functions) {
		result = write_sections(w, head, &e, err);
		tell(&e, &lacks);
	}
	recording_close(recording);
	free(e.files.s);
	free(e.build_ids.s);
	return result;
}
