# SPDX-License-Identifier: GPL-2.0
#
# make               builds ./sonde, one static binary; what that needs and is missing is named, not installed
# make run           as root: builds it, then traces new processes for ten seconds
# make install       the binary, a link for each tool, manual pages, examples, shell completion and the licence
# make uninstall     removes what make install put there (with the same variables)
# make deb           build/sonde_VERSION_ARCH.deb
# make test          unit tests; as root also live tests, and some on an old and a new kernel in QEMU; LONG=1: all of
#                    these, as CI runs them
# make deps          installs what building needs; run and test do it too
# make clean         removes what was built
#
# For developers:
# make soak          eight hours' work in a quarter of an hour, in QEMU: counts, maps and memory stay as they were
# make lab           the tools' tests on every kernel and form of tests/lab, in QEMU; writes docs/kernels.md
# make lab K=6.1-amd64      all live tests on that kernel
# make lab KERNEL=bzImage   what works on a kernel of yours: boots the image and prints the table (docs/lab.md);
#                    MODULES=DIR, MACHINE=arm64, NAME=WORD
# make lab KERNELS=DIR      the same for each image in that folder; writes the part about them of docs/kernels.md
# make lab-kernel TREE=linux NAME=WORD     builds such an image from a source tree, 3.10 or newer, into build/lab/own/WORD;
#                    MACHINE=i386, CONFIG="FILE...": more configuration
# make bare SUITE=trixie    make test on a bare Debian of that release; BUSY=1: beside busy loops
# make lab-times     how long tools take to attach and to give the prompt back there; writes docs/prompt.md (N="NAME...")
# make lists         writes the lists of tools in README.md and docs/support.md, from what the tools register
# make asan          build/asan/sonde, with the address and undefined behaviour sanitizers
# make test-asan     unit and live tests with it
# make fuzz          random programs and records for the machine, damaged ELF files, .eh_frame, kallsyms and stacks,
#                    FUZZ_SECONDS=60
# make bench         measures beside other tools; make bench-deps installs those
# make bench-guest K=6.1-amd64    what tools add to work on another kernel, in instructions
#
# Only run, test, test-asan, lab, lab-times and what ends in deps install packages: with apt-get; elsewhere they name
# them.
#
# Variables:
# ARCH=arm64         builds for another machine, into build/aarch64-linux-gnu; make ARCH=arm64 deps installs the
#                    compiler. The machines: amd64, i386, arm64, armhf, riscv64, ppc64el, s390x
# CROSS_COMPILE=aarch64-linux-gnu-     the same with a compiler of yours
# CC, STRIP, CPPFLAGS, CFLAGS, LDFLAGS     as everywhere; from the environment too
# STATIC=0           links with shared libraries
# ZSTD=1             reads recordings that zstd compressed: 220 KB more, from libzstd; ZSTD=0: refuses them. Without it, as
#                    the libelf here is: if that was made with zstd, libzstd is here, too
# WERROR=1           warnings are errors, as in make test
# BUILD=DIR          builds there: DIR/sonde, and DIR/sonde.stripped, which is what is installed
# DESTDIR, PREFIX=/usr/local, bindir, datadir, mandir, docdir     where things are installed
# linkdir=DIR        where the tools' links are installed: bindir; empty: nowhere
# sysconfdir, unitdir     where sonde/export.conf and systemd's units are installed; no unitdir: no units
# manext=8sonde      ends the names of manual pages, where plain 8 would clash with others'

VERSION := 0.1
ifdef ARCH
CROSS_COMPILE := $(shell tests/cross.sh $(ARCH))
ifneq ($(.SHELLSTATUS),0)
$(error ARCH is a row of tests/lab/machines)
endif
endif
ifdef CROSS_COMPILE
STRIP := $(CROSS_COMPILE)strip
endif
# The environment's compiler is for this machine.
ifneq ($(CROSS_COMPILE)$(filter default,$(origin CC)),)
CC := $(CROSS_COMPILE)gcc
endif
STRIP ?= strip
CROSS := $(CROSS_COMPILE:%-=%)
# Guests get their workload, and those of other machines their sonde, from here, whatever BUILD is.
BUILT := build$(CROSS:%=/%)
BUILD ?= $(BUILT)
SONDE := $(if $(filter build,$(BUILD)),sonde,$(BUILD)/sonde.stripped)
STATIC ?= 1

PREFIX ?= /usr/local
bindir ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir ?= $(datadir)/man
docdir ?= $(datadir)/doc/sonde
# Where the shells look for completion.
bashdir ?= $(datadir)/bash-completion/completions
zshdir ?= $(datadir)/zsh/site-functions
fishdir ?= $(datadir)/fish/vendor_completions.d
linkdir ?= $(bindir)
# The exporter's file, and its units of systemd; empty: no units.
sysconfdir ?= $(if $(filter /usr,$(PREFIX)),/etc,$(PREFIX)/etc)
unitdir ?= $(PREFIX)/lib/systemd/system
manext ?= 8

MAKEFLAGS += --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc 2>/dev/null || echo 1))

# -Oz is 1 % smaller. gcc has it since 12.
SMALL := $(shell $(CC) -Oz -x c -c -o /dev/null /dev/null 2>/dev/null && echo -Oz || echo -Os)
CFLAGS ?= $(SMALL) -g
# On x86 gcc puts each table at a multiple of 32 bytes, as a cache line may ask; the processor asks for 16 at most, and the
# holes between 3,000 tables are 17 KB.
CLOSE := $(shell $(CC) -malign-data=abi -x c -c -o /dev/null /dev/null 2>/dev/null && echo -malign-data=abi)
# Other machines' libraries, where their compiler has none.
SYSROOT := $(CROSS:%=$(BUILT)/sysroot)
# A 32-bit ARM program also has to run where pages are larger: on arm64 kernels with 16 or 64 KB.
LINK_arm-linux-gnueabihf := -Wl,-z,max-page-size=65536
LINK := $(if $(filter 1,$(STATIC)),-static -no-pie) -Wl,--gc-sections $(LINK_$(CROSS))
# A static binary is at a fixed address: code that could be anywhere would take 25 KB more.
FIXED := $(if $(filter 1,$(STATIC)),-fno-pie)
include src/lib/Makefile.left_out

# Times and file sizes of 64 bits on 32-bit machines too.
BITS := -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
WARNINGS := -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror)
# sonde goes on where an assert() would stop it; tests have these (tests/Makefile.tests). ASSERTS=: sonde too.
ASSERTS := -DNDEBUG
# The same bytes in whatever folder it is built.
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(BITS) $(ASSERTS) -DSONDE_VERSION='"$(VERSION)"' $(WARNINGS) -Wno-missing-field-initializers -I. \
	$(CLOSE) -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -ffile-prefix-map='$(CURDIR)'=. \
	$(SYSROOT:%=-I%/include) $(CPPFLAGS) $(FIXED) $(CFLAGS) $(EXTRA)
LIBS := $(SYSROOT:%=-L%/lib) $(shell awk '/^[a-z]/ { print "-l" $$1 }' tests/libraries)

# What runs for each of millions of events a second, or for each of the kernel's types, is worth its size.
HOT := $(wildcard backends/vm/*.c compat/types/btf*.c) $(addprefix backends/,stream/stream.c stream/stream_output.c \
	stream/stacked.c stream/merge.c perf/perf_channel.c ftrace/ftrace_read.c replay/readers/recorded.c) \
	$(wildcard compat/recordings/perf/perf_[rs]*.c) compat/recordings/trace/trace_records.c \
	compat/recordings/trace/trace_types.c
# To write two neighbours at once takes gcc longer than to write both.
HOT_FLAGS := -O2 -fno-tree-slp-vectorize

ifndef ZSTD
ZSTD := $(shell nm $$($(CC) -print-file-name=libelf.a) 2>/dev/null | grep -q ZSTD_ && echo 1 || echo 0)
endif
LIBS += $(if $(filter 1,$(ZSTD)),-lzstd)

SOURCES := $(sort $(shell find src insns compat backends -name '*.c'))
# One of the two is in sonde.
ZSTDS := compat/recordings/zstd.c compat/recordings/zstd_absent.c
SOURCES := $(filter-out $(if $(filter 1,$(ZSTD)),$(lastword $(ZSTDS)),$(firstword $(ZSTDS))),$(SOURCES))
MADE := $(BUILD)/registry.o $(BUILD)/notes.o $(BUILD)/calls.o $(BUILD)/errnos.o $(BUILD)/scripts.o \
	$(BUILD)/bt_scripts.o
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(MADE)
LIBRARY := $(filter-out $(BUILD)/src/main.o,$(OBJECTS))

# Tools and checks register in their own files.
REGISTERED := $(wildcard src/tools/*.c src/commands/selftest/checks/*.c)
REGISTRY = awk -f src/run/registry.awk
COMPLETION := $(BUILD)/completion/sonde.bash $(BUILD)/completion/_sonde $(BUILD)/completion/sonde.fish

all: $(SONDE) $(BUILD)/man/sonde.8

$(SONDE): $(BUILD)/sonde
	@echo "  STRIP   $@"
	@$(STRIP) -o $@ $<

# Makefiles: they say how to link.
$(BUILD)/sonde: $(OBJECTS) unwind.ld Makefile src/lib/Makefile.left_out
	@echo "  LD      $@"
	@$(CC) $(ALL_CFLAGS) $(LINK) $(if $(LINK),$(LEFT_OUT)) $(LDFLAGS) -Wl,-Map=$@.map -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/%.o: %.c $(BUILD)/flags | $(BUILD)/deps
	@echo "  CC      $<"
	@mkdir -p $(@D)
	@$(if $(filter 1,$(WERROR)),,rm -f $(BUILD)/werror)
	@$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# What was compiled in another way is compiled again: an old folder makes the binary that a new one makes.
$(BUILD)/flags: export BUILT_WITH := $(CC) $(ALL_CFLAGS:-Werror=) $(HOT) $(HOT_FLAGS)
$(BUILD)/flags: always
	@mkdir -p $(@D)
	@[ "$$(cat $@ 2>/dev/null)" = "$$BUILT_WITH" ] || printf '%s\n' "$$BUILT_WITH" >$@

# What was compiled without -Werror may have had warnings: it is compiled again.
ifeq ($(WERROR),1)
$(OBJECTS): $(BUILD)/werror
$(BUILD)/werror:
	@mkdir -p $(@D)
	@touch $@
endif

$(HOT:%.c=$(BUILD)/%.o): EXTRA := $(HOT_FLAGS)

# The comments beside the instructions, for --dump.
$(BUILD)/notes.c: insns/lower/notes.awk $(wildcard insns/programs/*.c) | $(BUILD)/deps
	@echo "  NOTES   $@"
	@mkdir -p $(@D)
	@awk -f insns/lower/notes.awk $(wildcard insns/programs/*.c) >$@.new && mv $@.new $@

# System calls of all machines: their names, numbers and arguments.
$(BUILD)/calls.c: src/language/calls/calls.awk src/language/calls/calls.tbl | $(BUILD)/deps
	@echo "  CALLS   $@"
	@mkdir -p $(@D)
	@awk -f src/language/calls/calls.awk src/language/calls/calls.tbl >$@.new && mv $@.new $@

# The names of errors: which there are the headers tell, and the preprocessor their numbers.
$(BUILD)/errnos.c: HEADER := asm/errno.h
$(BUILD)/errnos.c: $(BUILD)/%s.c: src/toolkit/numbered.awk | $(BUILD)/deps
	@echo "  NAMES   $@"
	@mkdir -p $(@D)
	@printf '#if __has_include(<%s>)\n#include <%s>\n#endif\n' $(HEADER) $(HEADER) >$@.h
	@$(CC) $(CPPFLAGS) -dM -E $@.h | awk -f src/toolkit/numbered.awk -v what=$* -v pass=1 >>$@.h
	@$(CC) $(CPPFLAGS) -E -P $@.h | awk -f src/toolkit/numbered.awk -v what=$* >$@.new && mv $@.new $@

# The tables of tools and checks; the folders tell of files that went.
$(BUILD)/registry.c: src/run/registry.awk $(REGISTERED) src/tools/. src/commands/selftest/checks/. | $(BUILD)/deps
	@echo "  TOOLS   $@"
	@mkdir -p $(@D)
	@$(REGISTRY) -v what=c $(REGISTERED) >$@.new && mv $@.new $@

# What names the tools elsewhere: the shells' completion and sonde(8).
$(COMPLETION): FILL = completion/$(@F)
$(BUILD)/man/sonde.8: FILL = man/man8/$(@F)
$(COMPLETION): $(BUILD)/completion/%: completion/%
$(BUILD)/man/sonde.8: man/man8/sonde.8
$(COMPLETION) $(BUILD)/man/sonde.8: src/run/registry.awk $(REGISTERED) src/tools/. | $(BUILD)/deps
	@echo "  TOOLS   $@"
	@mkdir -p $(@D)
	@$(REGISTRY) -v fill=$(FILL) $(REGISTERED) >$@.new && mv $@.new $@

# Those that are read in the source tree.
lists:
	@for doc in README.md docs/support.md; do \
		$(REGISTRY) -v fill=$$doc $(REGISTERED) >$$doc.new && mv $$doc.new $$doc || { rm -f $$doc.new; exit 1; }; \
	done

# The shells' completion, for `sonde completion`, and what is in each flame graph.
$(BUILD)/scripts.c: src/lib/text.awk $(COMPLETION) src/lib/flame/flame.js | $(BUILD)/deps
	@echo "  SCRIPTS $@"
	@mkdir -p $(@D)
	@awk -f src/lib/text.awk completion_bash=$(BUILD)/completion/sonde.bash \
		completion_zsh=$(BUILD)/completion/_sonde completion_fish=$(BUILD)/completion/sonde.fish \
		flame_script=src/lib/flame/flame.js >$@.new && mv $@.new $@

BT_SCRIPTS := $(sort $(wildcard src/bt/scripts/*.bt))
$(BUILD)/bt_scripts.c: src/bt/scripts/scripts.awk $(BT_SCRIPTS) | $(BUILD)/deps
	@echo "  SCRIPTS $@"
	@mkdir -p $(@D)
	@awk -f src/bt/scripts/scripts.awk $(BT_SCRIPTS) >$@.new && mv $@.new $@

$(MADE): %.o: %.c $(BUILD)/flags | $(BUILD)/deps
	@$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

DEPS := CC="$(CC)" FLAGS="$(SYSROOT:%=-I%/include) $(SYSROOT:%=-L%/lib) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)" \
	STATIC=$(STATIC) ZSTD=$(ZSTD) ARCH=$(ARCH) SYSROOT=$(SYSROOT) tests/deps.sh
BUILD_DEPS := $(if $(ARCH)$(CROSS),cross,build)

$(BUILD)/deps: tests/deps.sh tests/libraries
	@mkdir -p $(@D)
	@$(DEPS) check $(BUILD_DEPS)
	@touch $@

deps:
	@$(DEPS) $(BUILD_DEPS)

bench-deps:
	@$(DEPS) bench

run: deps
	@$(MAKE) all
	@tests/demo.sh

# MODE:FILE:PLACE. Nothing of it comes from running sonde: it may be for another machine. Completion for tools is
# looked for by their names; where linkdir is not bindir, these may be others' commands.
TOOLS = $(shell $(REGISTRY) -v what=names $(REGISTERED))
UNITS := sonde-export.service sonde-export.socket
INSTALLED = 755:$(SONDE):$(bindir)/sonde \
	$(foreach tool,$(if $(linkdir),$(TOOLS)),link:$(bindir)/sonde:$(linkdir)/$(tool)) \
	644:$(BUILD)/man/sonde.8:$(mandir)/man8/sonde.$(manext) \
	$(foreach page,$(filter-out man/man8/sonde.8,$(wildcard man/man8/*.8)),644:$(page):$(mandir)/man8/$(basename $(notdir $(page))).$(manext)) \
	$(foreach page,$(wildcard man/man7/*.7),644:$(page):$(mandir)/man7/$(notdir $(page))) \
	$(foreach text,$(wildcard man/examples/*),644:$(text):$(docdir)/examples/$(notdir $(text))) \
	644:LICENSE:$(docdir)/LICENSE \
	conf:packaging/sonde.conf:$(sysconfdir)/sonde/export.conf \
	$(foreach unit,$(if $(unitdir),$(UNITS)),644:$(BUILD)/packaging/$(unit):$(unitdir)/$(unit)) \
	644:packaging/grafana/sonde.json:$(docdir)/grafana/sonde.json \
	644:packaging/kubernetes/daemonset.yaml:$(docdir)/kubernetes/daemonset.yaml \
	644:$(BUILD)/completion/sonde.bash:$(bashdir)/sonde 644:$(BUILD)/completion/_sonde:$(zshdir)/_sonde \
	644:$(BUILD)/completion/sonde.fish:$(fishdir)/sonde.fish \
	$(foreach tool,$(if $(filter $(bindir),$(linkdir)),$(TOOLS)),link:$(bashdir)/sonde:$(bashdir)/$(tool) \
		link:$(fishdir)/sonde.fish:$(fishdir)/$(tool).fish)

# They name the places of this installation, which may be others the next time.
$(UNITS:%=$(BUILD)/packaging/%): $(BUILD)/packaging/%: packaging/systemd/% always
	@mkdir -p $(@D)
	@sed 's|/usr/bin/sonde|$(bindir)/sonde|; s|/etc/sonde/|$(sysconfdir)/sonde/|' $< >$@

install: all $(UNITS:%=$(BUILD)/packaging/%)
	@DESTDIR="$(DESTDIR)" packaging/install.sh install $(INSTALLED)

uninstall:
	@DESTDIR="$(DESTDIR)" packaging/install.sh uninstall $(INSTALLED)

# Debian's name of the machine: that of ARCH, or of a compiler in tests/lab/machines, or this one's.
DEB_ARCH = $(or $(ARCH),$(if $(CROSS),$(shell awk '$$2 == "$(CROSS_COMPILE)" { print $$1 }' tests/lab/machines),\
	$(shell dpkg --print-architecture)))
deb: all
	@MAKE="$(MAKE)" VERSION=$(VERSION) packaging/debian/build.sh $(BUILD) $(DEB_ARCH)

help:
	@sed -n '/^# make/,/^$$/s/^# \{0,1\}//p' Makefile

clean:
	@rm -rf build sonde

.PHONY: always all lists deps bench-deps run install uninstall deb help clean
.DELETE_ON_ERROR:
-include $(OBJECTS:.o=.d)

include tests/Makefile.tests tests/Makefile.lab tests/Makefile.fuzz tests/Makefile.bench
