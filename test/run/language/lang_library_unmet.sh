#@ what:    a library file whose depends_on is not satisfied is skipped without a message, and so are files that depend on it
mkdir "$TMP/lib"
printf 'inline int early = 1;\n#pragma D depends_on provider nosuch\nnot D at all (\n' >"$TMP/lib/a.d"
printf '#pragma D depends_on library a.d\ninline int second = 2;\n' >"$TMP/lib/b.d"
printf '#pragma D depends_on module nosuch\ninline int third = 3;\n' >"$TMP/lib/c.d"
printf '#pragma D depends_on provider dtrace\n#pragma D depends_on library io.d\ninline int met = 4;\n' >"$TMP/lib/d.d"
"$DTRACE" -q -L "$TMP/lib" -n 'BEGIN { printf("%d\n", met); exit(0); }'
for name in early second third; do
    "$DTRACE" -q -L "$TMP/lib" -n "BEGIN { trace($name); exit(0); }" 2>&1 | grep -o 'failed to resolve.*'
done
