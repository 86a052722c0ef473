// SPDX-License-Identifier: GPL-2.0
/* Values of options as members of structs. */
#include "src/lib/options/options_internal.h"

#include <assert.h>

int64_t number_of(const struct option *option, const struct value *value)
{
	switch (option->type) {
	case OPTION_NUMBER:
		return value->given ? value->number : option->initial;
	case OPTION_FLAGS:
		return value->number;
	default:
		return value->given;
	}
}

/* Fills the members of a struct at `base`. */
static void fill(void *base, const struct option_member *to, uint8_t given,
		 const struct option *option, const struct value *value)
{
	void *member = (char *)base + to->offset;

	switch ((enum member_type)to->type) {
	case MEMBER_BOOL:
		*(bool *)member = value->given;
		break;
	case MEMBER_NUMBER:
		*(int64_t *)member = option->type == OPTION_FLAG ? value->number :
				     number_of(option, value);
		break;
	case MEMBER_TEXT:
		*(const char **)member = value->text;
		break;
	case MEMBER_LIST:
		*(struct option_list *)member = (struct option_list){ value->list, value->n };
		break;
	case MEMBER_NONE:
		break;
	}
	if (given)
		((bool *)base)[given - 1] = value->given;
}

#ifndef NDEBUG
/* Returns true if the member is in a struct of that size, as its row says. */
static bool fits(const struct option_member *to, uint8_t given, size_t size)
{
	static const size_t sizes[] = {
		[MEMBER_NONE] = 0, [MEMBER_BOOL] = sizeof(bool), [MEMBER_NUMBER] = sizeof(int64_t),
		[MEMBER_TEXT] = sizeof(char *), [MEMBER_LIST] = sizeof(struct option_list),
	};

	return to->offset + sizes[to->type] <= size && given <= size;
}
#endif

void fill_members(const struct options *o)
{
	for (unsigned int i = 0; i < o->n; i++) {
		const struct option_row *row = &o->rows[i];
		const struct option *option = &row->option;

		assert(fits(&option->to, option->given, o->source.size));
		assert(fits(&row->to, row->given, o->source.common_size));
		fill(o->asked, &option->to, option->given, option, &o->values[i]);
		fill(o->common, &row->to, row->given, option, &o->values[i]);
	}
}
