// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/net/subnets.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"

/* The number behind the slash; -1: there is none, or it is too large. */
static int prefix_length(const char *text, unsigned int most)
{
	char *end;
	unsigned long n;

	if (*text < '0' || *text > '9')
		return -1;
	n = strtoul(text, &end, 10);
	return *end || n > most ? -1 : (int)n;
}

static int parse_one(struct subnet *s, const char *word, size_t length, struct error *err)
{
	char address[sizeof(s->text)], *slash;
	unsigned int most;
	int bits;

	if (!length || length >= sizeof(s->text))
		return fail(err, "--subnet: `%.*s` is no network: write 10.0.0.0/8 or "
			    "2001:db8::/32", (int)length, word);
	memcpy(s->text, word, length);
	s->text[length] = '\0';
	memcpy(address, s->text, length + 1);
	slash = strchr(address, '/');
	if (slash)
		*slash = '\0';
	s->family = strchr(address, ':') ? AF_INET6 : AF_INET;
	most = s->family == AF_INET6 ? 128 : 32;
	bits = slash ? prefix_length(slash + 1, most) : (int)most;
	if (bits < 0 || inet_pton((int)s->family, address, s->address) != 1)
		return fail(err, "--subnet: `%s` is no network: write 10.0.0.0/8 or 2001:db8::/32",
			    s->text);
	s->bits = (unsigned int)bits;
	return 0;
}

int subnets_parse(struct subnets *s, const char *list, struct error *err)
{
	*s = (struct subnets){ };
	for (const char *word = list;; word += strcspn(word, ",") + 1) {
		size_t length = strcspn(word, ",");

		if (array_room(&s->list, s->n, sizeof(*s->list)))
			return fail(err, "out of memory");
		memset(&s->list[s->n], 0, sizeof(*s->list));
		if (parse_one(&s->list[s->n], word, length, err))
			return -1;
		s->n++;
		if (!word[length])
			return 0;
	}
}

static bool has(const struct subnet *s, const unsigned char *address)
{
	unsigned int whole = s->bits / 8, rest = s->bits % 8;

	return !memcmp(s->address, address, whole) &&
	       (!rest || !((s->address[whole] ^ address[whole]) & 0xff << (8 - rest) & 0xff));
}

int subnets_find(const struct subnets *s, const struct address *a)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool inet = a->family == AF_INET6 && !memcmp(a->bytes, mapped, sizeof(mapped));
	const unsigned char *bytes = inet ? a->bytes + sizeof(mapped) : a->bytes;
	unsigned int family = inet ? AF_INET : a->family;

	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].family == family && has(&s->list[i], bytes))
			return (int)i;
	return -1;
}

void subnets_free(struct subnets *s)
{
	free(s->list);
	*s = (struct subnets){ };
}
