// SPDX-License-Identifier: GPL-2.0
/* Names of system calls: of all machines, and no fewer than the headers of this one. */
#include <string.h>
#include <sys/syscall.h>

#include "src/language/systrace/arguments.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_calls(void);

#define COMPAT(N)	(CALLS_COMPAT * CALLS + (N))
#define X32(N)		(CALLS_X32 * CALLS + (N))

static const struct {
	const char *machine;
	uint32_t slot;
	const char *name;		/* NULL: none */
} rows[] = {
	{ "x86_64", 0, "read" }, { "x86_64", 59, "execve" }, { "x86_64", 334, "rseq" },
	{ "x86_64", 335, "uretprobe" }, { "x86_64", 400, NULL },
	{ "x86_64", 424, "pidfd_send_signal" },
	{ "x86_64", 452, "fchmodat2" }, { "x86_64", 471, "rseq_slice_yield" },
	{ "x86_64", 472, NULL }, { "x86_64", 520, NULL },
	{ "x86_64", COMPAT(11), "execve" }, { "x86_64", COMPAT(181), "pwrite64" },
	{ "x86_64", COMPAT(403), "clock_gettime64" }, { "x86_64", COMPAT(452), "fchmodat2" },
	{ "x86_64", X32(0), "read" }, { "x86_64", X32(520), "execve" },
	{ "x86_64", X32(548), NULL },
	{ "i686", 11, "execve" }, { "i686", COMPAT(11), NULL }, { "i686", 90, "mmap" },
	{ "aarch64", 56, "openat" }, { "aarch64", 221, "execve" }, { "aarch64", 244, NULL },
	{ "aarch64", 258, NULL }, { "aarch64", COMPAT(322), "openat" }, { "aarch64", X32(0), NULL },
	{ "armv7l", 322, "openat" }, { "armv7l", 270, "fadvise64_64" },
	{ "armv7l", 437, "openat2" },
	{ "riscv64", 56, "openat" }, { "riscv64", 258, "riscv_hwprobe" },
	{ "riscv64", 259, "riscv_flush_icache" }, { "riscv64", COMPAT(403), "clock_gettime64" },
	{ "ppc64le", 286, "openat" }, { "ppc64le", 90, "mmap" },
	{ "ppc64le", COMPAT(204), "fcntl64" },
	{ "ppc64le", 204, NULL }, { "s390x", 288, "openat" }, { "s390x", 199, "getuid" },
	{ "s390x", COMPAT(24), "getuid" }, { "s390x", COMPAT(199), "getuid32" },
	{ "s390x", CALL_UNKNOWN, NULL },
};

START_TEST(each_number_has_its_name)
{
	const char *name = call_name(arch_by_name(rows[_i].machine), rows[_i].slot);

	ck_assert_str_eq(name ? name : "", rows[_i].name ? rows[_i].name : "");
}
END_TEST

/* Calls of this machine's headers. */
#define CALL(NAME)	{ SYS_##NAME, #NAME }
static const struct {
	uint32_t number;
	const char *name;
} own[] = {
	CALL(read), CALL(openat), CALL(execve), CALL(clone), CALL(pwrite64), CALL(prlimit64),
	CALL(getrandom), CALL(membarrier), CALL(futex), CALL(exit_group), CALL(tgkill),
	CALL(setsockopt), CALL(io_setup), CALL(mq_open), CALL(quotactl), CALL(kexec_load),
};

START_TEST(the_headers_agree)
{
	ck_assert_str_eq(call_name(arch_own(), own[_i].number), own[_i].name);
}
END_TEST

/* Each argument's kind is known: without a name it would be an address. */
START_TEST(all_kinds_are_known)
{
	static const char *const others[] = {
		"path", "fd", "dfd", "address", "size", "count", "number", "long", "hex", "bits",
		"mode", "signal", "split", "hilo", "protocol", "argv", "sockaddr", "kind_mode",
		"id", "created", "sockopt",
	};
	char text[512];

	for (size_t m = 0; arches[m]; m++)
		for (uint32_t slot = 0; slot < CALL_UNKNOWN; slot++) {
			const struct arch *arch = arches[m];
			const char *name = call_name(arch, slot);
			struct argument_walk w = {
				.words = name ? call_words(name) : NULL,
				.registers = call_registers(arch, slot),
			};
			struct argument a;

			while (next_argument(&w, &a)) {
				bool known = names_text(&a, 1, text, sizeof(text));

				for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
					known |= argument_is(&a, others[i]);
				ck_assert_msg(known, "%s: %.*s", name, a.kind_length, a.kind);
				ck_assert_uint_le(a.at + a.registers, SYSTRACE_ARGUMENTS + 1U);
			}
		}
}
END_TEST

static const struct {
	const char *kind;
	uint64_t number;
	const char *text;
} numbers[] = {
	{ "open", 0x101000 | 0x80000, "RDONLY|SYNC|CLOEXEC" }, { "open", 3, "3" },
	{ "prot", 0, "NONE" }, { "prot", 7, "READ|WRITE|EXEC" }, { "access", 0, "F" },
	{ "mmap", 3, "SHARED_VALIDATE" }, { "mmap", 0x22, "PRIVATE|ANONYMOUS" }, { "mmap", 0, "0" },
	{ "shm", 01600, "0600|IPC_CREAT" }, { "whence", 9, "9" },
	{ "ioctl", 0x12345678, "0x12345678" },
	{ "at", 0x100, "SYMLINK_NOFOLLOW" }, { "at", 0x200, "0x200" },
	{ "at_remove", 0x200, "REMOVEDIR" }, { "at_access", 0x200, "EACCESS" },
	{ "statx", 0xfff, "ALL" }, { "statx", 0x7ff, "BASIC_STATS" }, { "statx", 3, "TYPE|MODE" },
	{ "inotify", 0x100, "CREATE" }, { "rusage", 0xffffffff, "CHILDREN" },
	{ "socket", 0x80001, "STREAM|CLOEXEC" }, { "membarrier", 0, "QUERY" },
	{ "sockopt41", 26, "V6ONLY" }, { "fanotify_mark", 0x101, "ADD|FILESYSTEM" },
	/* of an int the upper half of the register is no part */
	{ "at", 0xdeadbeef00000100, "SYMLINK_NOFOLLOW" },
};

START_TEST(each_bit_has_its_name)
{
	struct argument a = { .kind = numbers[_i].kind,
			      .kind_length = (uint8_t)strlen(numbers[_i].kind) };
	char text[512];

	ck_assert(names_text(&a, numbers[_i].number, text, sizeof(text)));
	ck_assert_str_eq(text, numbers[_i].text);
}
END_TEST

/* Addresses of sockets: as much of them as the call says. */
static const struct {
	const char *bytes;
	int length;
	const char *text;
} addresses[] = {
	{ "\1\0/a/b\0\0", 8, "{ .family: UNIX, path: \"/a/b\" }" },
	{ "\1\0/no/end", 9, "{ .family: UNIX, path: \"/no/end\" }" },
	{ "\1\0\0ab\0cd", 8, "{ .family: UNIX, path: @\"ab\\x00cd\" }" },
	{ "\1\0", 2, "{ .family: UNIX }" },
	{ "\2\0\0\x50\x7f\0\0\1\0\0\0\0\0\0\0\0", 16,
	  "{ .family: INET, port: 80, addr: 127.0.0.1 }" },
	{ "\2\0\0\x50\x7f\0\0\1", 8, "{ .family: INET }" },
	{ "\x10\0\0\0\5\0\0\0\3\0\0\0", 12, "{ .family: NETLINK, pid: 5, groups: 0x3 }" },
};

START_TEST(each_address_is_shown)
{
	struct systrace_address a = { .length = addresses[_i].length & ~7, .whole = -1 };
	char text[512];
	struct strbuf w = strbuf_over(text, sizeof(text));

	if (addresses[_i].length < 8)
		a.length = 2;
	memcpy(a.of, addresses[_i].bytes, (size_t)a.length);
	if (addresses[_i].length >= 8) {
		a.whole = addresses[_i].length;
		memcpy(&a.last, addresses[_i].bytes + addresses[_i].length - 8, 8);
	}
	ck_assert(add_address(&w, &a));
	ck_assert_str_eq(text, addresses[_i].text);
}
END_TEST

Suite *suite_calls(void)
{
	Suite *s = suite_create("calls");
	TCase *t = tcase_create("calls");

	tcase_add_loop_test(t, each_number_has_its_name, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_loop_test(t, the_headers_agree, 0, sizeof(own) / sizeof(own[0]));
	tcase_add_test(t, all_kinds_are_known);
	tcase_add_loop_test(t, each_bit_has_its_name, 0, sizeof(numbers) / sizeof(numbers[0]));
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		tcase_add_loop_test(t, each_address_is_shown, 0,
				    sizeof(addresses) / sizeof(addresses[0]));
	suite_add_tcase(s, t);
	return s;
}
