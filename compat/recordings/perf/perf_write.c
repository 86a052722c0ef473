// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/perf/perf_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/recordings/perf/perf_data.h"
#include "compat/recordings/perf/perf_write_internal.h"

#define COMM 16
/* PERF_RECORD_MISC_MMAP_BUILD_ID, which older headers lack */
#define MMAP_BUILD_ID (1U << 14)
/*
 * Bytes of an attr that are written: perf 6.1 refuses more than it knows, even zeros. Nothing that
 * is recorded needs what came later (PERF_ATTR_SIZE_VER5).
 */
#define ATTR_SIZE 112
/* In a stream, of each event: a record has a size of 16 bits. */
#define IDS_MOST 8000
#define ENTRY (ATTR_SIZE + sizeof(struct perf_section))

struct perf_writer {
	int fd;
	bool stream;
	char *path;			/* for messages */
	uint64_t size;			/* written so far */
	uint64_t sample_type, id;	/* of the first event */
	uint64_t data;			/* offset of the records */
	uint64_t records;		/* their bytes, once a section is behind them; 0: none is */
	struct perf_sections sections;
};

/* Signals and slow readers may make a write short. */
static int write_pieces(struct perf_writer *w, struct iovec *pieces, int n, struct error *err)
{
	while (n) {
		ssize_t done = writev(w->fd, pieces, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return fail_with(err, errno, "can't write %s: %m", w->path);
		w->size += (uint64_t)done;
		for (; n && (size_t)done >= pieces->iov_len; pieces++, n--)
			done -= (ssize_t)pieces->iov_len;
		if (n) {
			pieces->iov_base = (char *)pieces->iov_base + done;
			pieces->iov_len -= (size_t)done;
		}
	}
	return 0;
}

/* Writes a text that was made, and frees it. */
static int write_text(struct perf_writer *w, struct strbuf *text, struct error *err)
{
	struct iovec piece = { .iov_base = text->s, .iov_len = text->n };
	const int result = text->cut ? fail(err, "out of memory") :
			   write_pieces(w, &piece, text->n ? 1 : 0, err);

	free(text->s);
	*text = (struct strbuf){ };
	return result;
}

static void put_header(struct strbuf *to, uint32_t type, size_t size)
{
	const struct perf_event_header header = { .type = type, .size = (uint16_t)size };

	strbuf_add(to, (const char *)&header, sizeof(header));
}

static bool wanted(const struct perf_feature_row *row, const struct perf_head *head)
{
	return (!row->of_clock || head->clock) &&
	       (!row->of_time || head->clock || head->apart) &&
	       (!row->of_code || head->code) && (!row->of_probes || head->probes);
}

/* ---- a file ---- */

static void put_bits(struct strbuf *to, const struct perf_head *head)
{
	uint64_t bits[PERF_FEATURE_WORDS] = { };

	for (const struct perf_feature_row *row = perf_written_features; row->feature; row++)
		if (wanted(row, head))
			bits[row->feature / 64] |= 1ULL << row->feature % 64;
	strbuf_add(to, (const char *)bits, sizeof(bits));
}

/*
 * The header, without the size of the records; behind it the table of sections, which perf looks
 * for behind the records.
 */
static void put_file_header(struct perf_writer *w, const struct perf_head *head, size_t attrs,
			    struct strbuf *to)
{
	put_u64(to, PERF_MAGIC);
	put_u64(to, PERF_FILE_HEADER);
	put_u64(to, ENTRY);
	put_u64(to, attrs);
	put_u64(to, head->n_events * ENTRY);
	put_u64(to, w->data);
	put_u64(to, 0);
	put_zeros(to, sizeof(struct perf_section));
	put_bits(to, head);
	put_u64(to, PERF_EARLY_TABLE);
	strbuf_add(to, (const char *)w->sections.list,
		   w->sections.n * sizeof(*w->sections.list));
}

static void put_ids(const struct perf_written *e, struct strbuf *to)
{
	strbuf_add(to, (const char *)e->ids, e->n_ids * sizeof(*e->ids));
}

static void put_attr(const struct perf_written *e, struct strbuf *to)
{
	struct perf_event_attr attr = e->attr;

	attr.size = ATTR_SIZE;
	strbuf_add(to, (const char *)&attr, ATTR_SIZE);
}

/* The ids, then the attrs with the places of their ids. Returns where the attrs begin. */
static size_t put_events(const struct perf_head *head, size_t at, struct strbuf *to)
{
	const size_t ids = at;
	size_t attrs, place = ids;

	for (unsigned int i = 0; i < head->n_events; i++)
		put_ids(&head->events[i], to);
	attrs = ids + to->n;
	for (unsigned int i = 0; i < head->n_events; i++) {
		const size_t size = head->events[i].n_ids * sizeof(uint64_t);

		put_attr(&head->events[i], to);
		put_u64(to, place);
		put_u64(to, size);
		place += size;
	}
	return attrs;
}

static void put_features(struct perf_writer *w, const struct perf_head *head, size_t at,
			 struct strbuf *to)
{
	for (const struct perf_feature_row *row = perf_written_features; row->feature; row++) {
		const size_t begin = to->n;

		if (!wanted(row, head))
			continue;
		row->write(to, head);
		w->sections.features[w->sections.n] = row->feature;
		w->sections.list[w->sections.n++] = (struct perf_section){
			at + begin, to->n - begin,
		};
		put_zeros(to, -to->n % 8);
	}
}

static size_t count_features(const struct perf_head *head)
{
	size_t n = 0;

	for (const struct perf_feature_row *row = perf_written_features; row->feature; row++)
		n += wanted(row, head);
	return n;
}

static int begin_file(struct perf_writer *w, const struct perf_head *head, struct error *err)
{
	const size_t table = count_features(head) * sizeof(struct perf_section);
	const size_t begin = PERF_FILE_HEADER + sizeof(uint64_t) + table;
	struct strbuf header = { }, events = { };
	const size_t attrs = put_events(head, begin, &events);

	put_features(w, head, begin, &events);
	w->data = begin + events.n;
	put_file_header(w, head, attrs, &header);
	if (!events.cut)
		return write_text(w, &header, err) || write_text(w, &events, err) ? -1 : 0;
	free(header.s);
	free(events.s);
	return fail(err, "out of memory");
}

/* ---- a stream: the same as records ---- */

static void put_attr_record(const struct perf_written *e, struct strbuf *to)
{
	put_header(to, PERF_HEADER_ATTR, sizeof(struct perf_event_header) + ATTR_SIZE +
					 e->n_ids * sizeof(*e->ids));
	put_attr(e, to);
	put_ids(e, to);
}

static void put_feature_record(const struct perf_feature_row *row, const struct perf_head *head,
			       struct strbuf *to)
{
	struct strbuf text = { };

	if (row->records) {
		row->write(to, head);
		return;
	}
	row->write(&text, head);
	put_zeros(&text, -text.n % 8);
	put_header(to, PERF_HEADER_FEATURE,
		   sizeof(struct perf_event_header) + sizeof(uint64_t) + text.n);
	put_u64(to, row->feature);
	strbuf_add(to, text.s, text.n);
	free(text.s);
}

/* They are larger than a record may be: the record has their size, and they follow it. */
static void put_tracing_data(const struct perf_head *head, struct strbuf *to)
{
	struct strbuf text = { };

	perf_written_features[0].write(&text, head);
	put_zeros(&text, -text.n % 8);
	put_header(to, PERF_HEADER_TRACING_DATA, sizeof(struct perf_event_header) + 8);
	put_u32(to, (uint32_t)text.n);
	put_u32(to, 0);
	strbuf_add(to, text.s, text.n);
	free(text.s);
}

/*
 * perf refuses a feature that it does not know, and an unknown type of record. It takes the end of
 * a round of any size.
 */
static void put_probes(const struct perf_head *head, struct strbuf *to)
{
	const struct strbuf *text = head->probes;

	for (size_t at = 0, n; at < text->n; at += n) {
		n = text->n - at < PERF_PROBES_PART ? text->n - at : PERF_PROBES_PART;
		put_header(to, PERF_FINISHED_ROUND,
			   sizeof(struct perf_event_header) + sizeof(uint64_t) + n + -n % 8);
		put_u64(to, PERF_PROBES_ROUND);
		strbuf_add(to, text->s + at, n);
		put_zeros(to, -n % 8);
	}
}

static int begin_stream(struct perf_writer *w, const struct perf_head *head, struct error *err)
{
	struct strbuf text = { };

	if (head->events[0].n_ids > IDS_MOST)
		return fail(err, "a stream can't have more than %d CPUs: write a file", IDS_MOST);
	put_u64(&text, PERF_MAGIC);
	put_u64(&text, PERF_PIPE_HEADER);
	for (unsigned int i = 0; i < head->n_events; i++)
		put_attr_record(&head->events[i], &text);
	for (const struct perf_feature_row *row = perf_written_features + 1; row->feature; row++)
		if (wanted(row, head) && !row->of_probes)
			put_feature_record(row, head, &text);
	put_tracing_data(head, &text);
	if (head->probes)
		put_probes(head, &text);
	return write_text(w, &text, err);
}

/* What a record has at its end, of no time. */
static void put_end(const struct perf_writer *w, uint32_t tid, uint32_t tgid, struct strbuf *to)
{
	put_u32(to, tgid);
	put_u32(to, tid);
	put_u64(to, 0);
	if (w->sample_type & PERF_SAMPLE_ID)
		put_u64(to, w->id);
	put_u64(to, 0);			/* the CPU */
	if (w->sample_type & PERF_SAMPLE_IDENTIFIER)
		put_u64(to, w->id);
}

/* Writes a record with this body, and frees the body. */
static int put_record(struct perf_writer *w, uint32_t type, uint16_t misc, struct strbuf *body,
		      struct error *err)
{
	struct strbuf record = { };
	const struct perf_event_header header = {
		.type = type, .misc = misc, .size = (uint16_t)(sizeof(header) + body->n),
	};

	strbuf_add(&record, (const char *)&header, sizeof(header));
	strbuf_add(&record, body->s, body->n);
	record.cut |= body->cut;
	free(body->s);
	return write_text(w, &record, err);
}

/* The mapping of the kernel, as perf has it: its offset is the address of the symbol _text. */
static int put_code(struct perf_writer *w, const struct perf_written_code *code, struct error *err)
{
	static const char name[24] = "[kernel.kallsyms]_text";
	struct strbuf body = { };

	put_u32(&body, UINT32_MAX);	/* of no process */
	put_u32(&body, 0);
	put_u64(&body, code->start);
	put_u64(&body, code->end - code->start);
	put_u64(&body, code->start);
	strbuf_add(&body, name, sizeof(name));
	put_end(w, 0, 0, &body);
	return put_record(w, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, &body, err);
}

int perf_writer_mapping(struct perf_writer *w, const struct perf_written_mapping *m,
			struct error *err)
{
	const size_t n = strlen(m->path) + 1;
	struct strbuf body = { };

	put_u32(&body, m->pid);
	put_u32(&body, m->pid);
	put_u64(&body, m->start);
	put_u64(&body, m->end - m->start);
	put_u64(&body, m->offset);
	if (m->build_id) {
		put_u32(&body, 0);
		body.s[body.n - sizeof(uint32_t)] = BUILD_ID;
		strbuf_add(&body, (const char *)m->build_id, BUILD_ID);
	} else {
		put_u32(&body, m->major);
		put_u32(&body, m->minor);
		put_u64(&body, m->inode);
		put_u64(&body, 0);	/* its generation */
	}
	put_u32(&body, PROT_READ | PROT_EXEC);
	put_u32(&body, MAP_PRIVATE);
	strbuf_add(&body, m->path, n);
	put_zeros(&body, (8 - n % 8) % 8);
	put_end(w, m->pid, m->pid, &body);
	return put_record(w, PERF_RECORD_MMAP2, (uint16_t)(PERF_RECORD_MISC_USER |
			  (m->build_id ? MMAP_BUILD_ID : 0)), &body, err);
}

struct perf_writer *perf_writer_open(const char *path, const struct perf_head *head,
				     struct error *err)
{
	struct perf_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		fail(err, "out of memory");
		return NULL;
	}
	w->stream = !strcmp(path, "-");
	w->path = strdup(w->stream ? "standard output" : path);
	w->sample_type = head->events[0].attr.sample_type;
	w->id = head->events[0].ids[0];
	w->fd = w->stream ? STDOUT_FILENO : file_create_private(path);
	if (!w->path || w->fd < 0) {
		fail_with(err, -w->fd, "can't make %s: %s", path, w->fd == -ELOOP ?
			  FILE_FOREIGN_LINK : strerror(-w->fd));
		free(w->path);
		free(w);
		return NULL;
	}
	if ((w->stream ? begin_stream(w, head, err) : begin_file(w, head, err)) ||
	    (head->code && put_code(w, head->code, err))) {
		perf_writer_close(w, NULL);
		return NULL;
	}
	return w;
}

/* ---- records ---- */

/* The record itself has time 0, as all that was there before the first event. */
int perf_writer_parent(struct perf_writer *w, uint32_t pid, uint32_t ppid, uint64_t began,
		       struct error *err)
{
	struct strbuf body = { };

	put_u32(&body, pid);
	put_u32(&body, ppid);
	put_u32(&body, pid);
	put_u32(&body, ppid);
	put_u64(&body, began);
	put_end(w, pid, pid, &body);
	return put_record(w, PERF_RECORD_FORK, 0, &body, err);
}

int perf_writer_name(struct perf_writer *w, uint32_t tid, uint32_t tgid, const char *comm,
		     struct error *err)
{
	struct strbuf body = { };
	const size_t n = strnlen(comm, COMM - 1);

	put_u32(&body, tgid);
	put_u32(&body, tid);
	strbuf_add(&body, comm, n);
	put_zeros(&body, 8 - n % 8);
	put_end(w, tid, tgid, &body);
	return put_record(w, PERF_RECORD_COMM, 0, &body, err);
}

int perf_writer_records(struct perf_writer *w, const struct iovec *pieces, int n,
			struct error *err)
{
	struct iovec left[2] = { pieces[0], n > 1 ? pieces[1] : (struct iovec){ } };

	return write_pieces(w, left, n, err);
}

int perf_writer_round(struct perf_writer *w, struct error *err)
{
	struct perf_event_header header = { .type = PERF_FINISHED_ROUND, .size = sizeof(header) };
	struct iovec piece = { &header, sizeof(header) };

	return write_pieces(w, &piece, 1, err);
}

uint64_t perf_writer_bytes(const struct perf_writer *w)
{
	return w->size;
}

static int write_at(struct perf_writer *w, uint64_t at, const void *bytes, size_t n,
		    struct error *err)
{
	return pwrite(w->fd, bytes, n, (off_t)at) == (ssize_t)n ? 0 :
	       fail_with(err, errno, "can't write %s: %m", w->path);
}

/* The table of sections, then in the header what makes it valid: the size of the records, bits. */
static int write_table(struct perf_writer *w, struct error *err)
{
	uint64_t header[1 + 2 + PERF_FEATURE_WORDS] = { }, *bits = header + 3;
	const struct perf_sections *s = &w->sections;

	header[0] = w->records;
	for (unsigned int i = 0; i < s->n; i++)
		bits[s->features[i] / 64] |= 1ULL << s->features[i] % 64;
	return write_at(w, w->data + w->records, s->list, s->n * sizeof(*s->list), err) ||
	       write_at(w, PERF_DATA_SIZE_AT, header, sizeof(header), err) ? -1 : 0;
}

/*
 * The table is right behind the records. Sections that come later are behind it: it has room for
 * all of them. The file is whole from here on, whenever the recorder is killed.
 */
static int leave_table(struct perf_writer *w, struct error *err)
{
	static const uint8_t none[PERF_SECTIONS * sizeof(struct perf_section)];
	struct iovec room = { (void *)none, sizeof(none) };

	if (w->records)
		return 0;
	w->records = w->size - w->data;
	return write_pieces(w, &room, 1, err) || write_table(w, err) ? -1 : 0;
}

static void add_section(struct perf_sections *s, unsigned int feature, uint64_t at, size_t n)
{
	unsigned int i;

	for (i = 0; i < s->n && s->features[i] < feature; i++)
		continue;
	if (i == s->n || s->features[i] != feature) {
		memmove(s->list + i + 1, s->list + i, (s->n - i) * sizeof(*s->list));
		memmove(s->features + i + 1, s->features + i, (s->n - i) * sizeof(*s->features));
		s->n++;
	}
	s->list[i] = (struct perf_section){ at, n };
	s->features[i] = feature;
}

int perf_writer_section(struct perf_writer *w, unsigned int feature, const void *bytes, size_t n,
			struct error *err)
{
	struct iovec piece = { (void *)bytes, n };

	if (w->sections.n == PERF_SECTIONS)
		return fail(err, "the recording has too many sections");
	if (leave_table(w, err))
		return -1;
	add_section(&w->sections, feature, w->size, n);
	return write_pieces(w, &piece, 1, err);
}

static int end_file(struct perf_writer *w, struct error *err)
{
	struct iovec table = { w->sections.list, w->sections.n * sizeof(*w->sections.list) };

	if (!w->records) {
		w->records = w->size - w->data;
		if (write_pieces(w, &table, 1, err))
			return -1;
	}
	return write_table(w, err);
}

int perf_writer_close(struct perf_writer *w, struct error *err)
{
	int result = w->stream || !w->data || !err ? 0 : end_file(w, err);

	if (!w->stream && close(w->fd) && !result)
		result = fail_with(err, errno, "can't write %s: %m", w->path);
	free(w->path);
	free(w);
	return result;
}
