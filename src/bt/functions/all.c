// SPDX-License-Identifier: GPL-2.0
/* All functions of expressions. */
#include "src/bt/bind/bind.h"

const struct function *const bt_functions[] = {
	bt_str_functions, bt_shown_functions, bt_symbol_functions, bt_number_functions,
	bt_block_functions, bt_buffer_functions, bt_letter_functions, bt_known_functions,
	bt_question_functions, bt_item_functions, bt_size_functions, size_functions, NULL
};
