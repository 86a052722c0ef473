// SPDX-License-Identifier: GPL-2.0
/* mountsnoop: what it keeps of calls whose own record is lost. */
#include "tests/unit/unit.h"

#include <malloc.h>

#include "insns/programs/mountsnoop.h"
#include "tests/unit/helpers/replay_run.h"

#define CALLS 20000
#define MOST (2 << 20)		/* bytes: 512 calls of four texts are half of it */

/*
 * The memory that is held, however it was got; not known where the allocator does not tell
 * (sanitizers).
 */
static size_t held(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

START_TEST(lost)
{
	struct mount_text text = { .time = 1, .type = MOUNT_TEXT, .length = 2, .text = "x" };
	const struct record record = { .bytes = &text, .size = sizeof(text) };
	size_t before;
	struct trial t;

	ck_assert_msg(!trial_start(&t, "mountsnoop", trial_kernel("6.1")), "%s", t.err.text);
	before = held();
	for (text.tid = 1; text.tid <= CALLS; text.tid++)
		for (text.index = 0; text.index < 2; text.index++)
			t.run.tool->record(&t.run, &record);
	ck_assert_msg(held() < before + MOST, "%zu bytes more", held() - before);
	trial_end(&t);
}
END_TEST

Suite *suite_mountsnoop(void);
Suite *suite_mountsnoop(void)
{
	Suite *s = suite_create("mountsnoop");

	add_tests(s, "calls whose record is lost", lost, 1);
	return s;
}
