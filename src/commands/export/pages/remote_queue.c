// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/pages/remote_queue.h"

#include <stdlib.h>

static struct strbuf *place(struct remote_queue *q, unsigned int i)
{
	return &q->list[(q->first + i) % REMOTE_REQUESTS];
}

void remote_queue_drop_first(struct remote_queue *q)
{
	struct strbuf *oldest = place(q, 0);

	q->bytes -= oldest->n;
	free(oldest->s);
	*oldest = (struct strbuf){ };
	q->first = (q->first + 1) % REMOTE_REQUESTS;
	q->n--;
}

unsigned int remote_queue_add(struct remote_queue *q, struct strbuf *body, bool keeps_first)
{
	unsigned int dropped = 0;

	while (q->n > keeps_first &&
	       (q->n == REMOTE_REQUESTS || q->bytes + body->n > REMOTE_BYTES)) {
		/* The second one is the oldest that waits. */
		if (keeps_first) {
			const struct strbuf first = *place(q, 0);

			*place(q, 0) = *place(q, 1);
			*place(q, 1) = first;
		}
		remote_queue_drop_first(q);
		dropped++;
	}
	q->bytes += body->n;
	*place(q, q->n++) = *body;
	*body = (struct strbuf){ };
	return dropped;
}
