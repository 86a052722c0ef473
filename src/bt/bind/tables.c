// SPDX-License-Identifier: GPL-2.0
/* What is known by name, and what becomes of what was read. */
#include "src/bt/bind/bind.h"
#include "src/bt/builtins.h"
#include "src/bt/text/text.h"

static const struct function *const values[VALUES] = {
	[VALUE_MAP] = &bt_map_read,
	[VALUE_HAS_KEY] = &bt_has_key,
	[VALUE_DELETED] = &bt_deleted,
	[VALUE_LENGTH] = &bt_len,
	[VALUE_KEPT_LENGTH] = &bt_kept_length,
	[VALUE_TUPLE] = &bt_tuple,
	[VALUE_PART] = &bt_tuple_part,
	[VALUE_BLOCK] = &bt_block_value,
	[VALUE_IF] = &bt_if_value,
	[VALUE_CALL] = &bt_call_value,
	[VALUE_STEP] = &bt_step_value,
	[VALUE_INNER] = &bt_inner,
	[VALUE_MEMORY_TEXT] = &bt_text,
};

static bt_bind_fn *const statements[] = {
	[SYNTAX_SET] = bt_set,
	[SYNTAX_LET] = bt_let,
	[SYNTAX_STORE] = bt_store,
	[SYNTAX_AGGREGATE] = bt_aggregate,
	[SYNTAX_VALUE] = bt_value_statement,
	[SYNTAX_CALL] = bt_call,
	[SYNTAX_BLOCK] = bt_nested,
	[SYNTAX_IF] = bt_if,
	[SYNTAX_UNROLL] = bt_unroll,
	[SYNTAX_WHILE] = bt_while,
	[SYNTAX_FOR] = bt_for,
	[SYNTAX_EACH] = bt_each,
	[SYNTAX_RETURN] = bt_return,
	[SYNTAX_BREAK] = bt_jump,
	[SYNTAX_CONTINUE] = bt_jump,
};

const struct bt_builtins bt_builtins = {
	.calls = bt_calls, .results = bt_results, .names = bt_names, .words = bt_words,
	.values = values, .statements = statements,
};

const struct function *const bt_functions[] = {
	bt_str_functions, bt_shown_functions, bt_symbol_functions, bt_number_functions,
	bt_block_functions, bt_buffer_functions, bt_letter_functions, bt_known_functions,
	bt_question_functions, bt_item_functions, bt_size_functions, size_functions, NULL
};

/* Where the grammar of scripts differs from C's. */
const struct language bt_language = {
	.token = bt_token, .replace = syntax_replace, .message = bt_message,
	.primary = syntax_primary, .name = bt_name, .binary = bt_binary, .choice = bt_choice,
	.side = bt_side, .letter = bt_letter, .place = bt_place, .parts = syntax_parts,
	.type_word = "typeof", .type = syntax_typeof, .type_of = bt_typeof, .wide = true,
	.dots = true,
};
