#@ what:    jstack() prints the functions, files and lines of a Perl program as the program itself sees them
#@ needs:   syscall perl x86-64
#@ timeout: 60
mkfifo "$TMP/go"
for perl in ${PERLS:-perl}; do
    exec 3<>"$TMP/go"
    "$perl" jstack_perl_nest.pl "$TMP/truth" <"$TMP/go" 2>"$TMP/state" &
    until grep -qs loaded "$TMP/state"; do sleep 0.02; done
    $DTRACE -qn 'BEGIN { printf("begun\n"); } syscall::chdir:entry /pid == $target/ { printf("stack\n"); jstack(100); }' \
        -p $! >"$TMP/out" &
    until grep -qs begun "$TMP/out"; do sleep 0.02; done
    echo >&3
    wait
    sed -n 's/^ *//; /^stack$/p; /(.*:[0-9]*)$/p; /^\[perl/p' "$TMP/out" | diff - "$TMP/truth" >"$TMP/differences" &&
        grep -q '^stack$' "$TMP/truth" || { echo "$perl"; cat "$TMP/differences"; }
done
