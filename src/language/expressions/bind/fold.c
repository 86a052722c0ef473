// SPDX-License-Identifier: GPL-2.0
/* Computes constants before the program is made, with the results that the program would have. */
#include "src/language/expressions/inputs.h"
#include "src/language/types/types.h"

static bool divide(uint8_t op, uint64_t a, uint64_t b, bool is_signed, uint64_t *result)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	if (!b)
		return false;
	if (!is_signed)
		*result = op == '/' ? a / b : a % b;
	else if (y == -1)		/* the least number has no opposite */
		*result = op == '/' ? 0 - a : 0;
	else
		*result = (uint64_t)(op == '/' ? x / y : x % y);
	return true;
}

/* `type`: the type of the operands; of a shift, the type of its left side. */
bool fold(uint8_t op, uint64_t a, uint64_t b, const struct c_type *type, unsigned int word,
	  uint64_t *result)
{
	const bool is_signed = c_signed(type);
	const unsigned int bits = 8 * c_size(type, word);
	const int64_t x = (int64_t)a, y = (int64_t)b;

	switch (op) {
	case '+': *result = a + b; break;
	case '-': *result = a - b; break;
	case '*': *result = a * b; break;
	case '&': *result = a & b; break;
	case '|': *result = a | b; break;
	case '^': *result = a ^ b; break;
	case '/':
	case '%':
		if (!divide(op, a, b, is_signed, result))
			return false;
		break;
	case OP_SHL: *result = a << (b & (bits - 1)); break;
	case OP_SHR:
		*result = is_signed ? (uint64_t)(x >> (b & (bits - 1))) : a >> (b & (bits - 1));
		break;
	case '<': *result = is_signed ? x < y : a < b; return true;
	case '>': *result = is_signed ? x > y : a > b; return true;
	case OP_LE: *result = is_signed ? x <= y : a <= b; return true;
	case OP_GE: *result = is_signed ? x >= y : a >= b; return true;
	case OP_EQ: *result = a == b; return true;
	case OP_NE: *result = a != b; return true;
	case OP_AND: *result = a && b; return true;
	case OP_OR: *result = a || b; return true;
	}
	*result = c_convert(*result, type, word);
	return true;
}
