#@ what:    the errtags pragma works from its line on, for each error on its own; the option of the command line for all
cd "$TMP"
printf 'int x; string x;\n#pragma D option errtags\nBEGIN { trace(nosuch); }\n' >t.d
unset DTRACE_REPRODUCIBLE
for option in quiet errtags; do
    "$DTRACE" -x $option -e -s t.d 2>&1 | grep '^dtrace: failed' | sed 's/:[^:]*$//'
done
