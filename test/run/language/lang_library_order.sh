#@ what:    library files are compiled before the program, each after the files that it depends on
mkdir "$TMP/lib"
cat >"$TMP/lib/a.d" <<'END'
#pragma D depends_on library z.d
inline int more = base * 2;
END
echo 'inline int base = 21;' >"$TMP/lib/z.d"
"$DTRACE" -q -L "$TMP/lib" -n 'BEGIN { printf("%d\n", more); exit(0); }'
