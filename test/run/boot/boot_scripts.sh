#@ what:    -A saves a preprocessed copy of the script and its options; if a script does not compile, the previous copy remains
. ./anonymous.bash
export TMPDIR=$TMP
echo '#define WORD "from a script"
BEGIN { printf("%s\n", WORD); exit(0); }' >"$TMP/one.d"
$DTRACE -A -qCs "$TMP/one.d" -x strsize=32 2>/dev/null
rm "$TMP/one.d"
echo 'BEGIN { x = ; }' >"$TMP/bad.d"
$DTRACE -A -s "$TMP/bad.d" 2>&1 | head -n 1 | sed "s|$TMP|TMP|"
tr '\0' '\n' <"$TMP/program/arguments" | sed "s|$TMP|TMP|"
stat -c '%a %U' "$TMP/program" "$TMP/program/1.d"
$DTRACE --anonymous
$DTRACE -a
chmod o+w "$TMP/program/arguments"
$DTRACE --anonymous 2>&1 | sed "s|$TMP|TMP|"
