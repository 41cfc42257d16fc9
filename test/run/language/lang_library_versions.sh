#@ what:    -L DIR loads from DIR the subdirectory of the newest version, such as 4.18, that is not newer than the kernel, and then DIR itself
mkdir -p "$TMP/lib/3.2" "$TMP/lib/4.18" "$TMP/lib/99.1" "$TMP/lib/other"
echo 'inline int best = 3;' >"$TMP/lib/3.2/best.d"
echo 'inline int best = 4;' >"$TMP/lib/4.18/best.d"
echo 'inline int best = 99;' >"$TMP/lib/99.1/best.d"
echo 'this is not read' >"$TMP/lib/other/best.d"
echo 'inline int after = best + 1;' >"$TMP/lib/after.d"
"$DTRACE" -q -L "$TMP/lib" -n 'BEGIN { printf("%d %d\n", best, after); exit(0); }'
