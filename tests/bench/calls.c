// SPDX-License-Identifier: GPL-2.0
/* calls N: calls called() so often, and does nothing else. */
#include <stdlib.h>

__attribute__((noinline, noclone)) void called(void);

void called(void)
{
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; i--)
		called();
	return 0;
}
