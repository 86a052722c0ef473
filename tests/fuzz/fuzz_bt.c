// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_bt SECONDS [SEED]: gives the reader of bpftrace's language scripts that are nearly right:
 * parts of statements in any order, and whole scripts with changed parts. Meant for a build with
 * ASan and UBSan: whatever it finds ends the process. The same seed makes the same scripts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"
#include "compat/probing/running.h"
#include "src/bt/bt.h"
#include "tests/fuzz/random.h"

#define SIZE 1000

struct fuzz {
	uint64_t state;
	struct kernel *kernel;
	char text[SIZE];
	uint64_t scripts, accepted;
};

static uint64_t below(struct fuzz *f, uint64_t n)
{
	return random_next(&f->state) % n;
}

/* Probes that any kernel has. */
static const char *const probes[] = {
	"BEGIN", "END", "interval:s:1", "profile:hz:99", "profile:hz:1,BEGIN", "i:ms:7/@x>1/",
};

/* What may come before them. */
static const char *const items[] = {
	"macro m(v) { v + v } ", "macro n($x, @m) { $x += 1; @m++; $x } ", "macro o { print(1) } ",
	"fn f($x : int64) : int64 { $r = $x; if ($r > 2) { $r = 2; } return $r + 1; } ",
	"fn g($s : string, $n : uint8) : void { print(($s, $n)); } ", "let @x = hash(5); ",
	"config = { max_map_keys = 7 } ", "fn h() : int8 { return f(m(1)); } ",
};

static const char *const statements[] = {
	"@x = $a;", "@x[$a, comm] = 1;", "@x++;", "@x = count();", "@x[comm] = sum(pid);",
	"$a = 1;", "$a = comm;", "$a = \"text\";", "$a = (1, \"b\", (2, comm));", "$b = $a.2;",
	"print($a);", "print(@x);", "print($a.0);", "printf(\"%d %s\\n\", $a, comm);",
	"delete(@x[$a]);", "@y[$a]++;", "delete(@x, (1, comm));", "if (@x) { ", "} else { ",
	"} else if ($a == comm) { ", "}", "for ($i : 0..3) { ", "for ($kv : @y) { ",
	"while ($a) { ", "unroll (2) { ", "break;", "let $a;", "continue;", "return;", "exit(3);",
	"@x = has_key(@y, $a) ? 1 : len(@y);", "@t = comm;", "@t = @x == 1 ? \"yes\" : str($1);",
	"@h = hist($a);", "@x = $a == \"a\" || @t != comm;", "$a += @x * 2;",
	"@x[kstack] = count();", "time(\"%H\");", "clear(@x);", "zero(@t);", "print((@x, $a));",
	"@y[$kv.0] = $kv.1;", "print($kv);", "$p = (char *)$a;", "@p = $p;", "@x = avg(@y[1]);",
	"@z = lhist($a, 1, 9, 2);", "$a = @z;", "@w[probe] = func;", "--$a;", ";",
	"$s = kstack;", "@s[1] = ustack(raw);", "@s[$a] = $s;", "@x[@s[1]] = count();",
	"print(@s[1]);", "@q = tseries($a, 1s, 3);", "@q[$a] = tseries(pid, 1ms, 2, \"sum\");",
	"if (strcontains(comm, $a)) { ", "$a = strncmp(comm, $a, 3);", "@x = probe == \"begin\";",
	"$t = (typeof($a))7;", "let $z: typeof(@x) = 1;", "$b = buf(\"abc\", 2);", "$u = usym(1);",
	"$n = ntop(pton(\"::1\"));", "@y[$b] = (1, $b);", "$a = { print(1); 2 };",
	"$f = (int8[4])$a;", "print($f[1]);", "$a = @x++;", "@m = min($a);",
	"$a = strstr($a, comm);",
	"@x = usermode + reg(\"ip\");", "if (func == $a) { ", "$a = m($a);", "n($a, @x);", "o;",
	"$a = f($a) + f(2);", "g(comm, $a);", "if (h() == m(f(3))) { ", "@x = n($b, @y) + h();",
	"$a = (a=1, b=comm);", "print($a.b);",
};

static const char *const parts[] = {
	"(", ")", "{", "}", "[", "]", ",", ".", "..", ".0", ".1.0", ";", ":", "?", "=", "==", "+",
	"-", "!", "*", "/", "&&", "+=", "++", "@", "@x", "@y", "@t", "$a", "$b", "$kv", "$1", "$#",
	"comm", "pid", "nsecs", "probe", "arg0", "str(", "len(", "has_key(", "count()", "0", "1",
	"0x", "5ms", "1e6", "18446744073709551615", "\"a\"", "\"", "\\", "(1, 2)", "(int8)", "for",
	"typeof(", "sizeof(", "tseries(", "strcontains(", "kstack", "ustack", "usym(", "buf(",
	"ntop(", "pton(", "probetype", "delete(@x", "1s", "while", "if", "else",
	"unroll", "let", "print(", "\n", " ", "\t", "/*", "//", "BEGIN",
	"END", "macro ", "fn ", "return ", "m(", "f(", "n(", "import \"x\";", " : ", "config", "a=",
};
#define N(LIST) (sizeof(LIST) / sizeof((LIST)[0]))

static bool append(struct fuzz *f, const char *part)
{
	const size_t n = strlen(f->text), length = strlen(part);

	if (n + length + 1 >= SIZE)
		return false;
	memcpy(f->text + n, part, length + 1);
	return true;
}

/* Up to 4 actions of statements, whose brackets are mostly closed. */
static void make(struct fuzz *f)
{
	f->text[0] = '\0';
	for (uint64_t n = below(f, 3) ? 0 : N(items); n; n--)
		if (below(f, 2))
			append(f, items[n - 1]);
	for (uint64_t actions = below(f, 2) ? 1 : 1 + below(f, 4); actions; actions--) {
		uint64_t n = below(f, below(f, 4) ? 5 : 12), open = 1;

		append(f, probes[below(f, N(probes))]);
		append(f, " { ");
		for (; n; n--) {
			const char *s = statements[below(f, N(statements))];
			const size_t length = strlen(s);

			if (*s == '}' && open == 1)
				continue;
			open += s[length - 1] == ' ' && *s != '}';
			open -= !strcmp(s, "}");
			if (!append(f, s))
				break;
		}
		while (open--)
			append(f, " }");
		append(f, "\n");
	}
}

/* Replaces some letters by a part, or by nothing. */
static void change(struct fuzz *f)
{
	const size_t length = strlen(f->text), at = below(f, length + 1);
	size_t gone = below(f, 4) ? below(f, 3) : below(f, 40);
	const char *part = below(f, 4) ? parts[below(f, N(parts))] : "";
	char rest[SIZE];

	gone = gone < length - at ? gone : length - at;
	memcpy(rest, f->text + at + gone, length - at - gone + 1);
	f->text[at] = '\0';
	append(f, part);
	append(f, rest);
}

static void give(struct fuzz *f)
{
	char *arguments[] = { (char[]){ "7" }, (char[]){ "word" } };
	struct bt b = { .arguments = arguments, .n_arguments = (unsigned int)below(f, 3) };
	struct error err = { };

	if (script_begin(&b.script, f->kernel, NULL, NULL, &err))
		abort();
	if (!bt_make(&b, "x", f->text, &err))
		f->accepted++;
	else if (!*err.text)
		abort();
	bt_free(&b);
	f->scripts++;
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10,
		end = monotonic_ns() + 1000000000 * seconds;

	f.state = argc > 2 ? strtoull(argv[2], NULL, 10) : monotonic_ns();
	printf("fuzz_bt: seed %" PRIu64 "\n", f.state);
	f.kernel = kernel_running();
	if (!f.kernel)
		return 1;
	while (monotonic_ns() < end) {
		make(&f);
		for (uint64_t n = below(&f, 2) ? below(&f, 6) : 0; n; n--)
			change(&f);
		give(&f);
	}
	kernel_free(f.kernel);
	printf("fuzz_bt: %" PRIu64 " scripts, %" PRIu64 " accepted\n", f.scripts, f.accepted);
	return 0;
}
