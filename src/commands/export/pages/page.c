// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/pages/page.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define PIECE_MOST 32768

/* Both ends are the same program: numbers are as the machine has them. */
struct piece {
	uint32_t whole, at;		/* bytes of the page, and of those before this piece */
	char bytes[PIECE_MOST];
};
#define PIECE_HEAD offsetof(struct piece, bytes)

void page_begin(struct page_writer *w, struct strbuf *page)
{
	free(w->page.s);
	w->page = *page;
	*page = (struct strbuf){ };
	w->written = w->page.n > PAGE_MOST ? w->page.n : 0;
}

bool page_is_sent(const struct page_writer *w)
{
	return w->written == w->page.n;
}

void page_go_on(struct page_writer *w)
{
	struct piece piece;

	while (!page_is_sent(w)) {
		const size_t left = w->page.n - w->written;
		const size_t n = left < PIECE_MOST ? left : PIECE_MOST;

		piece.whole = (uint32_t)w->page.n;
		piece.at = (uint32_t)w->written;
		memcpy(piece.bytes, w->page.s + w->written, n);
		if (send(w->to, &piece, PIECE_HEAD + n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return;
		w->written += n;
	}
	free(w->page.s);
	w->page = (struct strbuf){ };
	w->written = 0;
}

static void drop_page(struct page_reader *reader)
{
	free(reader->page.s);
	reader->page = (struct strbuf){ };
	reader->whole = false;
}

bool page_take(struct page_reader *reader)
{
	struct piece piece;
	ssize_t n;

	if (reader->whole)
		drop_page(reader);
	while ((n = recv(reader->from, &piece, sizeof(piece), MSG_DONTWAIT)) > 0) {
		const size_t bytes = n > (ssize_t)PIECE_HEAD ? (size_t)n - PIECE_HEAD : 0;

		if (!bytes)
			continue;
		if (!piece.at)
			drop_page(reader);
		/* The middle of a page whose beginning another process took. */
		if (piece.at != reader->page.n || piece.whole > PAGE_MOST)
			continue;
		strbuf_add(&reader->page, piece.bytes, bytes);
		reader->whole = reader->page.n == piece.whole && !reader->page.cut;
		if (reader->whole)
			return true;
	}
	return false;
}
