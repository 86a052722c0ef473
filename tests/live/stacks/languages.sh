# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# Known chains of functions in C++ and in Rust, and in C by a function that is chosen when the program starts (ifunc):
# their names, readable and as they are in the file, the shares and the numbers of calls, on every engine.
. "${0%/*}/../lib.sh"

sources=${0%/*}/languages
have() { command -v "$1" >/dev/null 2>&1; }

# share FILE: of the samples in `often` and `seldom` those in the first, per cent. It has three of four turns; a turn takes
# as long in both only where the machine counts ints as fast as longs.
share() { awk -v often="$often" -v seldom="$seldom" 'index($0, ";" often " ") { o += $NF } index($0, ";" seldom " ") { s += $NF } END { print int(100 * o / (o + s + !s)) }' "$1"; }

# traced NAME TOOL ARGS...: the program makes its turns while the tool traces it. 1: the engine can't serve it here.
traced() {
	named=$1
	shift
	load w "$TMP/$built" $turns
	start_or_skip "$named" "$why" s "$@" -p "$(pid w)" && served=1 || served=
	go w
	[ -n "$served" ] && stop s
}

# chain TURNS FUNCTION FRAMES: of main to FUNCTION, which calls `often` and `seldom`; of these the names in the file.
chain() {
	turns=$1 function=$2 frames=$3
	nm "$TMP/$built" | awk '$2 ~ /^[tTwW]$/ { print $3 }' | sort -u >"$TMP/names"
	for b in $ENGINES; do
		if [ $b != ftrace ]; then
			why='no BPF programs on samples|do not tell tasks'
			traced $built-profile-$b profile --backend $b -F 997 -f -U || continue
			grep -o ";main;.*" "$TMP/s.out" >"$TMP/folded"
			sed -n "s/^.*;\(${frames%%;*};.*\) [0-9]*$/\1/p" "$TMP/folded" | grep -E ";($often|$seldom)\$" | sort -u >"$TMP/got"
			printf "$frames;%s\n" "$often" "$seldom" | LC_ALL=C sort >"$TMP/wanted"
			same $built-frames-$b "$TMP/wanted" "$TMP/got"
			between $built-share-$b 50 "$(share "$TMP/folded")" 90

			traced $built-mangled-$b profile --backend $b --mangled -F 997 -f -U || continue
			grep -o ";main;.*" "$TMP/s.out" | sed 's/ [0-9]*$//' | tr ';' '\n' | grep -E 'main|run|serve|quick|often|seldom|add' | sort -u >"$TMP/got"
			equal $built-nm-$b '' "$(grep -vxFf "$TMP/names" "$TMP/got" | head -n 3)"
			expect $built-nm-some-$b [ "$(wc -l <"$TMP/got")" -ge 5 ]
		fi
		why=$(absences $b)
		# What the kernel does not have for the caller of a function that begins does not matter.
		traced $built-calls-$b stackcount --backend $b -f "$TMP/$built:$function" || continue
		equal $built-calls-$b $turns "$(awk '/;/ { n += $NF } END { print n + 0 }' "$TMP/s.out")"
		expect $built-called-$b grep -qF ";${frames##*;} $turns" "$TMP/s.out"
	done
}

built=chain-cc often='shop::Till<long>::add' seldom='shop::Till<int>::add'
if ! have g++ || ! have nm; then
	skip $built 'no g++, or no nm, here'
elif expect $built-built g++ -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$TMP/$built" "$sources/chain.cc"; then
	chain 3000 '*Quick*serve*' 'main;shop::run;shop::(anonymous namespace)::Quick::serve'
fi

often=chain::till::often seldom=chain::till::seldom
for mangling in legacy v0; do
	built=chain-rs-$mangling
	if ! have rustc || ! have nm; then
		skip $built 'no rustc, or no nm, here'
	elif ! rustc -O -C force-frame-pointers=yes -C symbol-mangling-version=$mangling -o "$TMP/$built" "$sources/chain.rs" >"$TMP/rustc" 2>&1; then
		grep -q 'symbol-mangling-version' "$TMP/rustc" && skip $built "this rustc has no such mangling: $(head -n 1 "$TMP/rustc")" ||
			fail $built "$(head -n 3 "$TMP/rustc")"
	elif [ $mangling = legacy ]; then
		chain 3000 '*Quick*serve*' 'chain::main;chain::run;<chain::Quick<T> as chain::Counter>::serve'
	else
		often='chain::till::often::<u64>' seldom='chain::till::seldom::<u64>'
		chain 3000 '*Quick*serve*' 'chain::main;chain::run;<chain::Quick<u32> as chain::Counter>::serve'
	fi
done

built=chain-ifunc often=often seldom=seldom
if ! have gcc || ! have nm; then
	skip $built 'no gcc, or no nm, here'
elif ! gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$TMP/$built" "$sources/chain.c" 2>"$TMP/gcc"; then
	grep -q 'ifunc' "$TMP/gcc" && skip $built "no ifuncs here: $(grep -m 1 ifunc "$TMP/gcc")" || fail $built "$(head -n 3 "$TMP/gcc")"
else
	chain 3000 quick 'main;run;quick'
	# Behind that name is what chooses, which runs once.
	refused chosen 'chosen when they start' stackcount "$TMP/$built:chosen"
fi
clean left
quiet kernel-log
