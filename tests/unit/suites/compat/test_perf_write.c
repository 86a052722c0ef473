// SPDX-License-Identifier: GPL-2.0
/* What other readers of perf.data want of its records and sections. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/recordings/perf/perf_write_internal.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_perf_write(void);

/* perf 7.2 refuses a stream that has another record. */
START_TEST(records_are_multiples_of_8)
{
	static const uint8_t id[BUILD_ID];
	char path[200] = "";

	for (unsigned int n = 0; n < sizeof(path) - 1; n++) {
		struct strbuf record = { };
		uint16_t size;

		perf_write_build_id(&record, n ? path : NULL, id);
		memcpy(&size, record.s + 6, sizeof(size));
		ck_assert_uint_eq(size, record.n);
		ck_assert_uint_eq(size % 8, 0);
		ck_assert_str_eq(record.s + 36, n ? path : "[kernel.kallsyms]");
		free(record.s);
		path[n] = 'a';
	}
}
END_TEST

static const struct {
	const char *text, *name, *vendor, *family, *model, *stepping;
} machines[] = {
	{ "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
	  "model name\t: Intel(R) Xeon(R) @ 2.60GHz\nstepping\t: 8\n\n"
	  "processor\t: 1\nvendor_id\t: Other\nmodel\t\t: 144\n",
	  "Intel(R) Xeon(R) @ 2.60GHz", "GenuineIntel", "6", "143", "8" },
	{ "processor\t: 0\nmodel name\t: ARMv7 Processor rev 1 (v7l)\nCPU part\t: 0xc0f\n",
	  "ARMv7 Processor rev 1 (v7l)", "", "", "", "" },
	{ "processor\t: 0\nBogoMIPS\t: 125.00\nCPU implementer\t: 0x41\n\n", "", "", "", "", "" },
	{ "vendor_id       : IBM/S390\n# processors    : 2\n", "", "IBM/S390", "", "", "" },
	{ "", "", "", "", "", "" },
};

START_TEST(the_cpu_is_told)
{
	char *dir = temporary(), path[200];
	struct perf_written_cpu cpu;

	write_text(dir, "cpuinfo", machines[_i].text);
	snprintf(path, sizeof(path), "%s/cpuinfo", dir);
	perf_cpu_read(&cpu, path);
	ck_assert_str_eq(cpu.name, machines[_i].name);
	ck_assert_str_eq(cpu.vendor, machines[_i].vendor);
	ck_assert_str_eq(cpu.family, machines[_i].family);
	ck_assert_str_eq(cpu.model, machines[_i].model);
	ck_assert_str_eq(cpu.stepping, machines[_i].stepping);
	remove_all(dir);
	perf_cpu_read(&cpu, "/no/such/file");
	ck_assert_str_eq(cpu.name, "");
}
END_TEST

Suite *suite_perf_write(void)
{
	Suite *s = suite_create("perf_write");
	TCase *t = tcase_create("perf_write");

	tcase_add_test(t, records_are_multiples_of_8);
	tcase_add_loop_test(t, the_cpu_is_told, 0, COUNT_OF(machines));
	suite_add_tcase(s, t);
	return s;
}
