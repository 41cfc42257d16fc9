#@ what:    types of a stripped program come from its separate debug file, also if the file's sections are compressed
#@ needs:   objcopy
cp "$PROGS/typed" "$TMP/whole"
objcopy --only-keep-debug "$TMP/whole" "$TMP/kept.debug"
objcopy --strip-debug --add-gnu-debuglink="$TMP/kept.debug" "$TMP/whole" "$TMP/linked"
objcopy --compress-debug-sections "$TMP/whole" "$TMP/packed"
objcopy --strip-debug "$TMP/whole" "$TMP/bare"
for program in linked packed bare; do
	$DTRACE -qn 'pid$target:a.out:pick:entry { trace(stringof(args[0]->next->name)); }' -c "$TMP/$program" 2>&1 | grep -o 'second\|out of range'
done
