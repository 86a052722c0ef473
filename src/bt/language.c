// SPDX-License-Identifier: GPL-2.0
/* Where the grammar of scripts differs from C's. */
#include "src/bt/bind/bind.h"
#include "src/bt/text/text.h"

const struct language bt_language = {
	.token = bt_token, .message = bt_message, .primary = syntax_primary, .name = bt_name,
	.binary = bt_binary, .choice = bt_choice, .side = bt_side, .letter = bt_letter,
	.place = bt_place, .parts = syntax_parts, .type_word = "typeof", .type = syntax_typeof,
	.type_of = bt_typeof, .wide = true, .dots = true,
};
