// SPDX-License-Identifier: GPL-2.0
/* Files of stacks for other programs, to the byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "src/lib/profiles/profile.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_profiles(void);

static const struct profile_frame inner = { "read", "libc.so" }, outer = { "main", "app" },
	kernel = { "do\"\x01it", "[kernel]" };

static void add(struct profile *p, const char *comm, int64_t pid,
		const struct profile_frame *frames, uint32_t n, uint64_t a, uint64_t b)
{
	const uint64_t values[PROFILE_VALUES] = { a, b };

	ck_assert_int_eq(profile_add(p, comm, strlen(comm), pid, frames, n, values, NULL), 0);
}

/* Two stacks: one was found twice, and the other has no frames. */
static struct profile *small(void)
{
	const struct profile_frame frames[] = { kernel, inner, outer };
	struct profile *p = profile_new();

	p->name = "offcputime";
	p->units[0] = "us";
	p->units[1] = "count";
	p->began = 1000;
	p->duration = 300;
	add(p, "app", 7, frames, 3, 100, 1);
	add(p, "app", 7, frames, 3, 100, 2);
	add(p, "idle", -1, frames, 0, 5, 0);
	return p;
}

static char *written(const struct profile *p,
		     int (*write)(FILE *file, const struct profile *p, struct error *err),
		     size_t *size)
{
	char *text;
	FILE *file = open_memstream(&text, size);

	ck_assert_int_eq(write(file, p, NULL), 0);
	ck_assert_int_eq(fclose(file), 0);
	return text;
}

START_TEST(speedscope)
{
	static const char wanted[] =
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
		"\"exporter\":\"sonde " SONDE_VERSION "\",\"name\":\"offcputime\","
		"\"shared\":{\"frames\":["
		"{\"name\":\"do\\\"\\u0001it\",\"file\":\"[kernel]\"},"
		"{\"name\":\"read\",\"file\":\"libc.so\"},{\"name\":\"main\",\"file\":\"app\"},"
		"{\"name\":\"app\"},{\"name\":\"idle\"}]},"
		"\"profiles\":[{\"type\":\"sampled\",\"name\":\"us\",\"unit\":\"microseconds\","
		"\"startValue\":0,\"samples\":[[3,2,1,0],[4]],\"weights\":[200,5],"
		"\"endValue\":205},"
		"{\"type\":\"sampled\",\"name\":\"count\",\"unit\":\"none\",\"startValue\":0,"
		"\"samples\":[[3,2,1,0]],\"weights\":[3],\"endValue\":3}]}\n";
	struct profile *p = small();
	size_t size;
	char *text = written(p, profile_speedscope, &size);

	ck_assert_str_eq(text, wanted);
	free(text);
	profile_free(p);
}
END_TEST

/* What is in a gzip file, by zlib. The caller frees. */
static uint8_t *unpacked(const char *bytes, size_t n, size_t *size)
{
	z_stream z = { .next_in = (Bytef *)bytes, .avail_in = (uInt)n };
	const size_t room = n + 1;
	uint8_t *to = malloc(room);

	ck_assert_int_eq(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
	z.next_out = to;
	z.avail_out = (uInt)room;
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(z.avail_in, 0);
	*size = z.total_out;
	inflateEnd(&z);
	return to;
}

/* protobuf: a field and its wire type, a length; strings are numbered from 0. */
START_TEST(pprof)
{
	static const char wanted[] =
		"\x0a\x04\x08\x0a\x10\x0b"	/* a type: string 10, its unit: 11 */
		"\x0a\x04\x08\x0c\x10\x0d"
		"\x12\x16"			/* a sample: frames 1 2 3, 200 us, 3 times */
		"\x0a\x03\x01\x02\x03\x12\x03\xc8\x01\x03"
		"\x1a\x04\x08\x08\x10\x01"	/* labels: comm app, pid 7 */
		"\x1a\x04\x08\x09\x18\x07"
		"\x12\x0c\x0a\x00\x12\x02\x05\x00\x1a\x04\x08\x08\x10\x07"
		"\x1a\x06\x08\x01\x28\x03\x38\x01"	/* a mapping, location, function */
		"\x22\x08\x08\x01\x10\x01\x22\x02\x08\x01"
		"\x2a\x06\x08\x01\x10\x02\x18\x02"
		"\x1a\x06\x08\x02\x28\x05\x38\x01"
		"\x22\x08\x08\x02\x10\x02\x22\x02\x08\x02"
		"\x2a\x06\x08\x02\x10\x04\x18\x04"
		"\x1a\x06\x08\x03\x28\x01\x38\x01"
		"\x22\x08\x08\x03\x10\x03\x22\x02\x08\x03"
		"\x2a\x06\x08\x03\x10\x06\x18\x06"
		"\x32\x00\x32\x03" "app\x32\x06" "do\"\x01it\x32\x08[kernel]\x32\x04read"
		"\x32\x07libc.so\x32\x04main\x32\x04idle\x32\x04" "comm\x32\x03pid"
		"\x32\x0aoffcputime\x32\x0cmicroseconds\x32\x05" "count\x32\x05" "count"
		"\x48\xe8\x07\x50\xac\x02";	/* when it began, how long it took */
	struct profile *p = small();
	size_t size, n;
	char *file = written(p, profile_pprof, &n);
	uint8_t *message = unpacked(file, n, &size);

	ck_assert_uint_eq(size, sizeof(wanted) - 1);
	ck_assert_mem_eq(message, wanted, size);
	free(message);
	free(file);
	profile_free(p);
}
END_TEST

#define FRAMES									\
	"\t               0 do\"\\x01it ([kernel.kallsyms])\n"			\
	"\t               0 read (libc.so)\n\t               0 main (app)\n\n"

/* A time is a period, a count is samples; an unknown process has the number 0. */
START_TEST(perf_script)
{
	static const char wanted[] =
		"app     7     0.001000:        200 offcputime:us:\n" FRAMES
		"idle     0     0.001000:          5 offcputime:us:\n\n"
		"app     7     0.002000: offcputime:count:\n" FRAMES
		"app     7     0.003000: offcputime:count:\n" FRAMES
		"app     7     0.004000: offcputime:count:\n" FRAMES;
	static const char long_one[] = "app     7     0.001000:    1000001 profile:samples:\n\n";
	struct profile *p = small();
	size_t size;
	char *text = written(p, profile_perf_script, &size);

	ck_assert_str_eq(text, wanted);
	free(text);
	profile_free(p);
	p = profile_new();
	p->name = "profile";
	p->units[0] = "samples";
	add(p, "app", 7, NULL, 0, 1000001, 0);
	text = written(p, profile_perf_script, &size);
	ck_assert_str_eq(text, long_one);
	free(text);
	profile_free(p);
}
END_TEST

/* A block of gzip has 65,535 bytes at most. */
START_TEST(large)
{
	struct profile *p = profile_new();
	size_t size, n;
	char *file, name[32];
	uint8_t *message;

	p->name = "profile";
	p->units[0] = "samples";
	for (unsigned int i = 0; i < 10000; i++) {
		struct profile_frame frame = { name, "app" };

		snprintf(name, sizeof(name), "function_%u", i);
		add(p, "app", 1, &frame, 1, 1, 0);
	}
	file = written(p, profile_pprof, &n);
	message = unpacked(file, n, &size);
	ck_assert_uint_gt(size, 3 * 65535);
	free(message);
	free(file);
	profile_free(p);
}
END_TEST

Suite *suite_profiles(void)
{
	Suite *s = suite_create("profiles");
	TCase *t = tcase_create("profiles");

	tcase_add_test(t, speedscope);
	tcase_add_test(t, perf_script);
	tcase_add_test(t, pprof);
	tcase_add_test(t, large);
	suite_add_tcase(s, t);
	return s;
}
