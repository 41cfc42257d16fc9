#@ what:    jstack() prints the functions, files and lines of a PHP program as the program itself sees them
#@ needs:   syscall php x86-64
#@ timeout: 60
for php in php php7.4 php8.2 php8.4; do
    php=$("$php" -r 'echo PHP_BINARY;' 2>"$TMP/refused") && "$php" -v >"$TMP/refused" 2>&1 || continue
    $DTRACE -qn 'syscall::chdir:entry /pid == $target/ { printf("stack\n"); jstack(100); }' \
        -c "$php jstack_php_nest.php $TMP/truth" >"$TMP/out"
    sed -n 's/^ *//; /^stack$/p; /(.*:[0-9]*)$/p; /^\[php/p' "$TMP/out" | diff - "$TMP/truth" >"$TMP/differences" &&
        grep -q '^stack$' "$TMP/truth" || { echo "$php"; cat "$TMP/differences"; }
done
