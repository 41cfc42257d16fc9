#@ what:    options in a script's #! line are split into words, although the kernel passes them as one word
run() {
    printf '%s\n' "#!$(readlink -f "$DTRACE") $1" 'BEGIN { printf("%d %s %d\n", $1, $$2, sizeof (string)); exit($1); }' >"$TMP/script.d"
    chmod +x "$TMP/script.d"
    "$TMP/script.d" 7 'two words' 2>&1 | sed "s,$TMP/,,"
    echo "status ${PIPESTATUS[0]}"
}
run '-qs'
run '-qs -x strsize=64'
run '-q -x strsize=32 -s'
run '  -qs   -x "strsize=16" -x errtags  '
