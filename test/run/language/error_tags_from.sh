#@ what:    a pragma errtags adds tags to errors in later lines, and -x errtags to all errors
cd "$TMP"
printf 'int x; string x;\n#pragma D option errtags\nBEGIN { trace(nosuch); }\n' >t.d
unset DTRACE_REPRODUCIBLE
for option in quiet errtags; do
    "$DTRACE" -x $option -e -s t.d 2>&1 | grep '^dtrace: failed' | sed 's/:[^:]*$//'
done
