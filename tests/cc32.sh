#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cc32.sh native|MACHINE ARGS...: compiles with whatever makes programs for the 32-bit processes of this machine, or of
# one that a compiler calls so (aarch64-linux-gnu); exit 1 if nothing can.
machine=$1
shift
[ "$machine" != native ] || machine=$(uname -m)-linux-gnu
case $machine in
x86_64-*) compilers="i686-linux-gnu-gcc gcc:-m32" ;;
# Kernels of arm64 with pages of 16 or 64 KB run only programs whose segments lie so far apart.
aarch64-*) compilers="arm-linux-gnueabihf-gcc:-Wl,-z,max-page-size=65536" ;;
*) echo "no 32-bit programs are known to run on $machine: tests that need one are skipped there" >&2; exit 1 ;;
esac
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
echo 'int main(void) { return 0; }' >"$try/main.c"
for c in $compilers; do
	cc=$(echo "$c" | tr : ' ')
	if $cc -static -o "$try/main" "$try/main.c" 2>/dev/null; then
		$cc "$@"
		exit
	fi
done
echo "no compiler for the 32-bit programs of $machine here: tests that need one are skipped" >&2
exit 1
