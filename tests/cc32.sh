#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Compiles with whatever makes programs for this machine's 32-bit processes; exit 1 if nothing can.
case $(uname -m) in
x86_64) compilers="i686-linux-gnu-gcc gcc:-m32" ;;
aarch64) compilers="arm-linux-gnueabihf-gcc" ;;
*) compilers= ;;
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
echo "no compiler for 32-bit programs here: tests that need one are skipped" >&2
exit 1
