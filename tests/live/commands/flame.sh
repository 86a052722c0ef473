# SPDX-License-Identifier: GPL-2.0
#
# flame: what the command makes of files, standard input, differences and mistakes.
. "${0%/*}/../lib.sh"

# flame ARGS...: the picture in $TMP/out, its status in $STATUS.
flame() {
	"$SONDE" flame "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	STATUS=$?
}
complete() { [ "$(tail -n 1 "$1")" = '</svg>' ]; }
# The frames of a picture: NAME (COUNT UNIT, SHARE).
frames() { sed -n 's|^<g><title>\(.*\)</title><rect.*|\1|p' "$1"; }

printf 'main;read_[k] 30\nmain;write_[k] 10\n' >"$TMP/old"
printf 'main;read_[k] 10\nmain;<b>&"x";f(int, int) 10\n' >"$TMP/new"

flame "$TMP/new"
equal status 0 $STATUS
equal quiet "" "$(cat "$TMP/err")"
expect complete complete "$TMP/out"
contains title "$TMP/out" "^<title>$TMP/new</title>$"
cat >"$TMP/wanted" <<'END'
all (20 samples, 100.00 %)
main (20 samples, 100.00 %)
&lt;b&gt;&amp;&quot;x&quot; (10 samples, 50.00 %)
f(int, int) (10 samples, 50.00 %)
read (10 samples, 50.00 %)
END
frames "$TMP/out" >"$TMP/got"
same frames "$TMP/wanted" "$TMP/got"
if command -v xmllint >/dev/null; then
	expect xml xmllint --noout "$TMP/out"
else
	skip xml "no xmllint here"
fi

# Standard input makes the same but for its name.
"$SONDE" flame --title "$TMP/new" - <"$TMP/new" >"$TMP/stdin" 2>"$TMP/err"
equal stdin-status 0 $?
same stdin "$TMP/out" "$TMP/stdin"

flame --diff "$TMP/old" --unit=us "$TMP/new"
equal diff-status 0 $STATUS
contains diff-title "$TMP/out" "^<title>$TMP/new compared with $TMP/old</title>$"
contains diff-row "$TMP/out" '<title>read \(10 us, 50.00 %; own 50.00 %, was 75.00 %\)</title><rect class="b4"'
contains diff-new "$TMP/out" '<title>f\(int, int\) \(10 us, 50.00 %; own 50.00 %, was 0.00 %\)</title><rect class="r8"'
contains diff-gone "$TMP/out" '>only there, and not shown: 1 stack, with 25.00 % of its us<'

flame --reverse --inverted --colors off-cpu --width 500 --min-width 60% "$TMP/new"
equal options-status 0 $STATUS
contains options-width "$TMP/out" '^<svg [^>]*width="500"'
contains options-left-out "$TMP/out" '>frames narrower than 60 % left out: 5, 100.00 %<'

# Broken lines are counted, and said in the picture as well.
printf 'a;b\nmain 1\nmain x\n' >"$TMP/broken"
flame "$TMP/broken"
equal broken-status 0 $STATUS
contains broken-said "$TMP/err" "^sonde: flame: $TMP/broken: 2 of 3 lines left out; the first is line 1: there is no count at its end$"
contains broken-picture "$TMP/out" '>2 lines of the input left out: no stack, or no count<'
printf 'a;b 1 2\na;c 3 4\n' >"$TMP/two"
flame "$TMP/two"
contains two-counts "$TMP/err" 'all lines end with two numbers'

# fails NAME MESSAGE ARGS...: nothing is drawn.
fails() {
	name=$1 message=$2
	shift 2
	flame "$@"
	equal "$name-status" 1 $STATUS
	contains "$name-said" "$TMP/err" "$message"
	equal "$name-nothing" 0 "$(wc -c <"$TMP/out")"
}
: >"$TMP/empty"
printf 'swapper 0 [000] 1.0: cycles:\n\tffff do_idle\n' >"$TMP/script"
printf 'a 0\n' >"$TMP/zero"
printf 'a 18446744073709551615\na 1\n' >"$TMP/large"
fails empty 'empty is empty, there is nothing to draw' "$TMP/empty"
fails empty-old 'empty is empty' --diff "$TMP/empty" "$TMP/new"
fails stdin-empty 'standard input is empty' -
fails script 'script has no folded stacks: line 1: there is no count' "$TMP/script"
fails zero 'all counts are 0' "$TMP/zero"
fails large 'more than 2\^64 together' "$TMP/large"
fails absent "can't read $TMP/nosuch: No such file" "$TMP/nosuch"
fails folder "can't read $TMP: Is a directory" "$TMP"

# misused NAME ARGS...
misused() {
	name=misuse-$1
	shift
	flame "$@"
	equal "$name" 2 $STATUS
	contains "$name-said" "$TMP/err" '^`sonde help flame` lists its options$'
}
misused nothing
misused two "$TMP/old" "$TMP/new"
misused option --nosuch "$TMP/new"
misused value "$TMP/new" --title
misused width --width 12 "$TMP/new"
misused width-word --width x "$TMP/new"
misused min-width --min-width -1 "$TMP/new"
misused min-width-word --min-width 1px "$TMP/new"
misused colors --colors red "$TMP/new"
misused unit --unit 'two words' "$TMP/new"
misused stdin-twice --diff - -

"$SONDE" flame --help >"$TMP/help"
equal help 0 $?
contains help-said "$TMP/help" '^Usage: sonde flame '
"$SONDE" help flame >"$TMP/help2"
same help-flame "$TMP/help" "$TMP/help2"

# Where it can't be written, that is said.
if [ -c /dev/full ]; then
	"$SONDE" flame "$TMP/new" >/dev/full 2>"$TMP/err"
	equal full-status 1 $?
	contains full-said "$TMP/err" "can't write the output: No space left"
fi

# 100,000 different stacks; an emulated machine gets fewer.
n=$((20000 / SLOW * 5))
awk -v n=$n 'BEGIN { for (i = 0; i < n; i++) {
	s = "main"; for (k = i; k; k = int(k / 7)) s = s ";function_" k % 7 "_" k % 100
	print s ";leaf_" i, i % 5 + 1 } }' >"$TMP/many"
flame "$TMP/many"
equal many-status 0 $STATUS
equal many-total $((3 * n)) "$(sed -n 's/^<g><title>all (\([0-9,]*\) samples.*/\1/p' "$TMP/out" | tr -d ,)"
expect many-complete complete "$TMP/out"
