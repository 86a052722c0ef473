# SPDX-License-Identifier: GPL-2.0
#
# make            ./sonde, one static binary; installs what building needs first, if anything is missing
# make run        trace new processes for ten seconds
# make test       unit tests, live tests (root), some of them on an old and a new kernel in QEMU
# make lab        the tools' tests on every kernel and form of tests/lab, in QEMU; writes docs/kernels.md
# make lab K=6.1-amd64      all live tests on that kernel
# make asan, make test-asan, make fuzz, make bench, make install, make clean, make deps, make bench-deps
#
# make ARCH=arm64 builds for another machine, into build/aarch64-linux-gnu, and fetches what that needs; ARCH is a row of
# tests/lab/machines. CROSS_COMPILE=aarch64-linux-gnu- does it with a compiler of yours.

VERSION := 0.1
ifdef ARCH
CROSS_COMPILE := $(shell tests/cross.sh $(ARCH))
endif
CC := $(CROSS_COMPILE)gcc
STRIP := $(CROSS_COMPILE)strip
CROSS := $(CROSS_COMPILE:%-=%)
# Guests get their workload, and those of other machines their sonde, from here, whatever BUILD is.
BUILT := build$(CROSS:%=/%)
BUILD ?= $(BUILT)
SONDE := $(if $(filter build,$(BUILD)),sonde,$(BUILD)/sonde.stripped)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

MAKEFLAGS += --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc 2>/dev/null || echo 1))

CFLAGS ?= -Os -g
# Other machines' zlib, where their compiler has none.
SYSROOT := $(CROSS:%=$(BUILT)/sysroot)
# A 32-bit ARM program also has to run where pages are larger: on arm64 kernels with 16 or 64 KB.
LINK_arm-linux-gnueabihf := -Wl,-z,max-page-size=65536
LINK := -static -Wl,--gc-sections $(LINK_$(CROSS))
NO_UNWIND := -Wl,-T,unwind.ld
# Times and file sizes of 64 bits on 32-bit machines too.
BITS := -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(BITS) -DSONDE_VERSION='"$(VERSION)"' -Wall -Wextra -Wno-missing-field-initializers -Werror -I. \
	-ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables $(SYSROOT:%=-I%/include) $(CFLAGS) $(EXTRA)
LIBS := $(SYSROOT:%=-L%/lib) -lz

SOURCES := $(wildcard src/*.c src/*/*.c insns/*.c compat/*.c backends/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/notes.o $(BUILD)/syscalls.o
LIBRARY := $(filter-out $(BUILD)/src/main.o,$(OBJECTS))
UNIT := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/unit/*.c))
WORK := $(wildcard tests/live/work/*.c)
WORK_PARTS := tests/live/work/work.h src/selftest/library.c src/selftest/library.h

all: $(SONDE)

$(SONDE): $(BUILD)/sonde
	@echo "  STRIP   $@"
	@$(STRIP) -o $@ $<

$(BUILD)/sonde: $(OBJECTS) unwind.ld
	@echo "  LD      $@"
	@$(CC) $(ALL_CFLAGS) $(LINK) $(if $(LINK),$(NO_UNWIND)) -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/%.o: %.c | $(BUILD)/deps
	@echo "  CC      $<"
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# What runs for each of millions of events a second is worth its size.
HOT := $(wildcard backends/vm*.c) backends/ring.c backends/merge.c backends/perf_ring.c backends/perf_channel.c \
	backends/ftrace_page.c
$(HOT:%.c=$(BUILD)/%.o): EXTRA := -O2

# The comments beside the instructions, for --dump.
$(BUILD)/notes.c: insns/notes.awk $(wildcard insns/*.c) | $(BUILD)/deps
	@echo "  NOTES   $@"
	@mkdir -p $(@D)
	@awk -f insns/notes.awk $(wildcard insns/*.c) >$@.new && mv $@.new $@

# The names of system calls: which there are the headers tell, and the preprocessor their numbers.
$(BUILD)/syscalls.c: src/syscalls.awk | $(BUILD)/deps
	@echo "  NAMES   $@"
	@mkdir -p $(@D)
	@echo '#include <sys/syscall.h>' >$@.h
	@$(CC) -dM -E $@.h | awk -f src/syscalls.awk -v pass=1 >>$@.h
	@$(CC) -E -P $@.h | awk -f src/syscalls.awk >$@.new && mv $@.new $@

$(BUILD)/notes.o $(BUILD)/syscalls.o: %.o: %.c
	@$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/deps: tests/deps.sh
	@mkdir -p $(@D)
	@CC="$(CC)" ARCH=$(ARCH) SYSROOT=$(SYSROOT) tests/deps.sh $(if $(ARCH)$(CROSS),cross,build)
	@touch $@

deps bench-deps:
	@CC="$(CC)" tests/deps.sh $(if $(filter deps,$@),build,bench)

run: all
	@tests/demo.sh

# Unit tests find each other: the suite of tests/unit/test_NAME.c is suite_NAME().
$(BUILD)/tests/suites.h: tests/unit | $(BUILD)/deps
	@mkdir -p $(@D)
	@for t in $(wildcard tests/unit/test_*.c); do basename $$t .c | sed 's/^test_\(.*\)/SUITE(\1)/'; done >$@

$(BUILD)/tests/unit/main.o: $(BUILD)/tests/suites.h
$(UNIT): EXTRA := -I$(BUILD)/tests -include tests/unit/unit.h

$(BUILD)/tests/run-unit: $(UNIT) $(LIBRARY)
	@echo "  LD      $@"
	@$(CC) $(ALL_CFLAGS) $(filter-out -static,$(LINK)) -o $@ $^ -lcheck -lsubunit -lm -lrt $(LIBS)

# The workload of the live tests: static, because it runs in guests that have no C library.
$(BUILT)/tests/work: $(WORK) $(WORK_PARTS) | $(BUILD)/deps
	@echo "  CC      $@"
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(BITS) -Wall -Wextra -Werror -O2 -g0 -static -s -o $@ $(WORK) -pthread

$(BUILT)/tests/work32: $(WORK) $(WORK_PARTS) | $(BUILD)/deps
	@echo "  CC      $@"
	@mkdir -p $(@D)
	@tests/cc32.sh $(or $(CROSS),native) -std=gnu11 -D_GNU_SOURCE $(BITS) -Wall -Wextra -Werror -O2 -g0 \
		-static -s -o $@ $(WORK) -pthread || rm -f $@

work: $(BUILT)/tests/work $(BUILT)/tests/work32

test-deps: deps
	@CC="$(CC)" tests/deps.sh test

test: test-deps
	@$(MAKE) all $(BUILD)/tests/run-unit work
	@BUILD=$(BUILD) SONDE=$(CURDIR)/$(SONDE) tests/run.sh unit live quick

lab: test-deps
ifdef K
	@$(MAKE) ARCH=$$(awk -v k=$(K) '$$1 == k { print $$4 }' tests/lab/kernels) all work
	@tests/run.sh lab=$(K)
else
	@tests/deps.sh lab
	@tests/lab/all.sh
endif

SANITIZE := BUILD=build/asan LINK= CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined"
asan:
	@$(MAKE) $(SANITIZE) build/asan/sonde

test-asan: test-deps
	@$(MAKE) $(SANITIZE) build/asan/sonde build/asan/tests/run-unit work
	@BUILD=build/asan SONDE=$(CURDIR)/build/asan/sonde tests/run.sh unit live

fuzz:
	@$(MAKE) $(SANITIZE) build/asan/fuzz_vm
	@build/asan/fuzz_vm $(FUZZ_SECONDS)

$(BUILD)/fuzz_vm: $(BUILD)/tests/fuzz/fuzz_vm.o $(LIBRARY)
	@echo "  LD      $@"
	@$(CC) $(ALL_CFLAGS) $(LINK) -o $@ $^ $(LIBS)

BENCH := $(patsubst %.c,$(BUILD)/%,$(filter-out %.bpf.c,$(wildcard tests/bench/*.c)))
$(BENCH:=.o): EXTRA := -O2
# The benchmark loads clang's programs and asks for the cost of all by libbpf; newer versions of libelf need zstd.
$(BENCH): LIBS = -lbpf -lelf -lz $(shell $(CC) -print-file-name=libzstd.a | grep -q / && echo -lzstd)
$(BENCH): %: %.o $(LIBRARY)
	@echo "  LD      $@"
	@$(CC) $(ALL_CFLAGS) $(LINK) -o $@ $^ $(LIBS)

bench: all work
	@$(CC) -print-file-name=libbpf.a | grep -q / || { echo "libbpf is missing: make bench-deps installs it" >&2; exit 1; }
	@$(MAKE) $(BENCH)
	@BUILD=$(BUILD) SONDE=$(CURDIR)/$(SONDE) tests/bench/run.sh

# The links are relative, and made without running sonde: it may be for another machine, or in a DESTDIR.
BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
install: all
	@install -D -m 755 $(SONDE) $(BIN)/sonde
	@for t in $$(sed -n 's/^\tTOOL(\([a-z0-9]*\)).*/\1/p' src/tools.c); do ln -sf sonde $(BIN)/$$t; done
	@install -d $(SHARE)/man/man8 $(SHARE)/doc/sonde/examples
	@install -m 644 $(wildcard man/man8/*.8) $(SHARE)/man/man8
	@install -m 644 $(wildcard man/examples/*) $(SHARE)/doc/sonde/examples
	@echo "  INSTALL $(BIN)/sonde, its links, manual pages and examples"

clean:
	@rm -rf build sonde

.PHONY: all work deps bench-deps run test-deps test lab asan test-asan fuzz bench install clean
.DELETE_ON_ERROR:
-include $(OBJECTS:.o=.d) $(UNIT:.o=.d) $(BUILD)/tests/fuzz/fuzz_vm.d $(BENCH:=.d)
