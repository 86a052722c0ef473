// SPDX-License-Identifier: GPL-2.0
/* Numbers by their names: errors, and what headers have as macros. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/icmp.h>
#include <linux/if_ether.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "compat/arch/arch.h"
#include "src/language/expressions/constants.h"
#include "src/toolkit/numbered.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_errnos(void);

/*
 * Errors whose numbers differ between machines, or that have two names, among them: the kernel's is
 * the right one.
 */
static const struct {
	int number;
	const char *name;
} errors[] = {
	{ EPERM, "EPERM" }, { E2BIG, "E2BIG" }, { EAGAIN, "EAGAIN" }, { ERANGE, "ERANGE" },
	{ ENAMETOOLONG, "ENAMETOOLONG" }, { EOPNOTSUPP, "EOPNOTSUPP" }, { EDEADLK, "EDEADLK" },
	{ EDQUOT, "EDQUOT" }, { EHWPOISON, "EHWPOISON" },
};

START_TEST(each_error_has_its_name)
{
	ck_assert_str_eq(errno_name(errors[_i].number), errors[_i].name);
	ck_assert_int_eq(errno_number(errors[_i].name), errors[_i].number);
}
END_TEST

START_TEST(no_other_has_one)
{
	static const int numbers[] = { -1, 0, 511, 2000, 4095 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ck_assert_ptr_null(errno_name(numbers[i]));
	ck_assert_int_eq(errno_number("EWHAT"), -1);
	ck_assert_int_eq(errno_number(""), -1);
}
END_TEST

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
/* A library that knows them says the same. */
START_TEST(the_library_agrees)
{
	for (int i = 1; i < 2000; i++) {
		const char *name = strerrorname_np(i), *ours = errno_name(i);

		ck_assert_str_eq(ours ? ours : "", name ? name : "");
	}
}
END_TEST
#endif

#define ROW(NAME) { #NAME, NAME }
/* What this machine's headers have, of each family the first, the last and those with a number. */
static const struct {
	const char *name;
	int64_t value;
} constants[] = {
	ROW(AF_UNSPEC), ROW(AF_UNIX), ROW(AF_LOCAL), ROW(AF_INET), ROW(AF_INET6), ROW(AF_NETLINK),
	ROW(AF_PACKET), ROW(AF_VSOCK), ROW(AF_XDP), ROW(AF_BLUETOOTH), ROW(AF_ALG),
	ROW(SOCK_STREAM), ROW(SOCK_DGRAM), ROW(SOCK_SEQPACKET), ROW(SOCK_PACKET),
	ROW(SOCK_NONBLOCK), ROW(SOCK_CLOEXEC), ROW(SOL_SOCKET), ROW(SO_REUSEADDR),
	ROW(SO_REUSEPORT), ROW(SO_RCVLOWAT), ROW(SO_PEERCRED), ROW(SO_SNDTIMEO),
	ROW(SO_PASSSEC), ROW(SO_ZEROCOPY), ROW(MSG_PEEK), ROW(MSG_DONTWAIT), ROW(MSG_NOSIGNAL),
	ROW(IPPROTO_IP), ROW(IPPROTO_ICMP), ROW(IPPROTO_TCP), ROW(IPPROTO_UDP), ROW(IPPROTO_GRE),
	ROW(IPPROTO_AH), ROW(IPPROTO_SCTP), ROW(IPPROTO_MPLS), ROW(IPPROTO_RAW),
	ROW(ETH_P_IP), ROW(ETH_P_ARP), ROW(ETH_P_IPV6), ROW(ETH_P_ALL), ROW(ETH_P_8021Q),
	ROW(ETH_P_PPP_SES), ROW(ETH_P_LLDP), ROW(ETH_ALEN), ROW(ETH_FRAME_LEN),
	ROW(TCP_NODELAY), ROW(TCP_CORK), ROW(TCP_QUICKACK), ROW(TCP_THIN_LINEAR_TIMEOUTS),
	ROW(TCP_FASTOPEN), ROW(TCP_ULP), ROW(TCP_INQ), ROW(TCP_TX_DELAY),
	ROW(ICMP_ECHOREPLY), ROW(ICMP_DEST_UNREACH), ROW(ICMP_ECHO), ROW(ICMP_TIME_EXCEEDED),
	ROW(ICMP_ADDRESSREPLY), ROW(ICMP_FRAG_NEEDED), ROW(ICMP_PREC_CUTOFF),
	ROW(O_RDONLY), ROW(O_WRONLY), ROW(O_RDWR), ROW(O_ACCMODE), ROW(O_CREAT), ROW(O_EXCL),
	ROW(O_NOCTTY), ROW(O_TRUNC), ROW(O_APPEND), ROW(O_NONBLOCK), ROW(O_DSYNC), ROW(O_SYNC),
	ROW(O_ASYNC), ROW(O_DIRECT), ROW(O_DIRECTORY), ROW(O_NOFOLLOW), ROW(O_NOATIME),
	ROW(O_CLOEXEC), ROW(O_PATH), ROW(O_TMPFILE),
	ROW(AT_FDCWD), ROW(AT_SYMLINK_NOFOLLOW), ROW(AT_REMOVEDIR), ROW(AT_EACCESS),
	ROW(AT_EMPTY_PATH), ROW(S_IFMT), ROW(S_IFSOCK), ROW(S_IFLNK), ROW(S_IFREG), ROW(S_IFBLK),
	ROW(S_IFDIR), ROW(S_IFCHR), ROW(S_IFIFO), ROW(S_ISUID), ROW(S_ISVTX), ROW(S_IRWXU),
	ROW(S_IXGRP), ROW(S_IXOTH), ROW(DT_UNKNOWN), ROW(DT_FIFO), ROW(DT_CHR), ROW(DT_DIR),
	ROW(DT_BLK), ROW(DT_REG), ROW(DT_LNK), ROW(DT_SOCK), ROW(SEEK_END), ROW(SEEK_HOLE),
	ROW(MAP_SHARED), ROW(MAP_PRIVATE), ROW(MAP_FIXED), ROW(MAP_ANONYMOUS), ROW(MAP_LOCKED),
	ROW(MAP_NORESERVE), ROW(MAP_STACK), ROW(MAP_HUGETLB), ROW(PROT_NONE), ROW(PROT_READ),
	ROW(PROT_WRITE), ROW(PROT_EXEC), ROW(MADV_DONTNEED), ROW(MADV_FREE), ROW(MADV_DODUMP),
	ROW(CLONE_VM), ROW(CLONE_THREAD), ROW(CLONE_NEWNS), ROW(CLONE_NEWNET), ROW(CLONE_IO),
	ROW(CAP_CHOWN), ROW(CAP_NET_ADMIN), ROW(CAP_SYS_ADMIN), ROW(CAP_SYSLOG),
	ROW(CAP_AUDIT_READ), ROW(EPERM), ROW(ENOENT), ROW(EWOULDBLOCK), ROW(ENOTSUP),
	ROW(EDEADLOCK), ROW(EHWPOISON), ROW(SIGHUP), ROW(SIGKILL), ROW(SIGCHLD), ROW(SIGSYS),
};

static bool constant(const char *machine, const char *name, int64_t *value)
{
	return constant_named(arch_by_name(machine), name, strlen(name), value);
}

START_TEST(constants_of_this_machine)
{
	struct utsname host;
	int64_t value = 0;

	uname(&host);
	ck_assert_ptr_nonnull(arch_by_name(host.machine));
	ck_assert_msg(constant(arch_by_name(host.machine)->name, constants[_i].name, &value) &&
		      value == constants[_i].value, "%s: %lld", constants[_i].name,
		      (long long)value);
}
END_TEST

/* A snapshot's machine decides, not this one. */
START_TEST(constants_of_each_machine)
{
	static const struct {
		const char *machine, *name;
		int64_t value;		/* -1: there is none */
	} rows[] = {
		{ "x86_64", "O_DIRECTORY", 0200000 }, { "x86_64", "O_LARGEFILE", 0100000 },
		{ "aarch64", "O_DIRECTORY", 040000 }, { "aarch64", "O_DIRECT", 0200000 },
		{ "armv7l", "O_NOFOLLOW", 0100000 }, { "riscv64", "O_DIRECT", 040000 },
		{ "s390x", "O_TMPFILE", 020200000 }, { "ppc64le", "O_DIRECT", 0400000 },
		{ "ppc64le", "O_TMPFILE", 020040000 }, { "ppc64le", "O_CREAT", 0100 },
		{ "ppc64le", "MAP_LOCKED", 0x80 }, { "riscv64", "MAP_LOCKED", 0x2000 },
		{ "x86_64", "MAP_32BIT", 0x40 }, { "aarch64", "MAP_32BIT", -1 },
		{ "ppc64le", "EDEADLOCK", 58 }, { "aarch64", "EDEADLOCK", 35 },
		{ "ppc64le", "SO_PEERCRED", 21 }, { "s390x", "SO_PEERCRED", 17 },
		{ "x86_64", "TCP_NEW_SYN_RECV", 12 }, { "x86_64", "CLONE_INTO_CGROUP", 1LL << 33 },
		{ "x86_64", "O_WHAT", -1 }, { "x86_64", "O_", -1 }, { "x86_64", "EWHAT", -1 },
		{ "x86_64", "SIGWHAT", -1 }, { "x86_64", "RDONLY", -1 }, { "x86_64", "SIG9", -1 },
	};
	int64_t value = -1;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(constant(rows[i].machine, rows[i].name, &value) ?
			      value == rows[i].value : rows[i].value == -1, "%s on %s: %lld",
			      rows[i].name, rows[i].machine, (long long)value);
}
END_TEST

Suite *suite_errnos(void)
{
	Suite *s = suite_create("errnos");
	TCase *t = tcase_create("errnos");

	tcase_add_loop_test(t, each_error_has_its_name, 0, sizeof(errors) / sizeof(errors[0]));
	tcase_add_test(t, no_other_has_one);
	tcase_add_loop_test(t, constants_of_this_machine, 0,
			    sizeof(constants) / sizeof(constants[0]));
	tcase_add_test(t, constants_of_each_machine);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
	tcase_add_test(t, the_library_agrees);
#endif
	suite_add_tcase(s, t);
	return s;
}
