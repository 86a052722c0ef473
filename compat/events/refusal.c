// SPDX-License-Identifier: GPL-2.0
#include "compat/events/refusal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"

static void say(struct refusal *to, const struct refusal *known, const char *format, va_list args)
{
	if (!to)
		return;
	*to = *known;
	text_vcut(to->why.text, sizeof(to->why.text), format, args);
}

int not_served(struct refusal *to, const char *hook, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(to, &(struct refusal){ .hook = hook }, format, args);
	va_end(args);
	return -1;
}

int lacks_feature(struct refusal *to, const char *hook, enum feature f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(to, &(struct refusal){ .hook = hook, .lacks = true, .feature = f }, format, args);
	va_end(args);
	return -1;
}

int lacks_member(struct refusal *to, const char *hook, bool needs_btf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(to, &(struct refusal){ .hook = hook, .needs_btf = needs_btf }, format, args);
	va_end(args);
	return -1;
}

int lacks_function(struct refusal *to, const char *hook, const char *function, const char *module)
{
	not_served(to, hook, "this kernel has no function %s to probe; if %s is a module, load it "
			     "first: modprobe %s", function, module, module);
	if (to) {
		to->function = function;
		to->module = module;
	}
	return -1;
}

void refusals_add(struct refusals *refusals, const struct refusal *refusal)
{
	if (!*refusal->why.text)
		return;
	for (unsigned int i = 0; i < refusals->n; i++)
		if (refusals->list[i].hook == refusal->hook &&
		    !strcmp(refusals->list[i].why.text, refusal->why.text))
			return;
	if (!array_room(&refusals->list, refusals->n, sizeof(*refusals->list)))
		refusals->list[refusals->n++] = *refusal;
}

void refusals_words(const struct refusals *refusals, struct error *err)
{
	char room[sizeof(err->text)];
	struct strbuf text = strbuf_over(room, sizeof(room));

	for (unsigned int i = 0; i < refusals->n; i++) {
		const struct refusal *f = &refusals->list[i];

		strbuf_addf(&text, "%s%s%s%s", i ? "\n" : "", f->hook ? f->hook : "",
			    f->hook ? ": " : "", f->why.text);
	}
	fail(err, "%s", text.s);
}

void refusals_free(struct refusals *refusals)
{
	free(refusals->list);
	*refusals = (struct refusals){};
}
