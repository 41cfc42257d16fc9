#@ what:    jstack() prints the methods, files and lines of a Ruby program as the program itself sees them
#@ needs:   syscall ruby x86-64
#@ timeout: 60
mkfifo "$TMP/go"
for ruby in ${RUBIES:-ruby}; do
    exec 3<>"$TMP/go"
    "$ruby" jstack_ruby_nest.rb "$TMP/truth" <"$TMP/go" 2>"$TMP/state" &
    until grep -qs loaded "$TMP/state"; do sleep 0.02; done
    $DTRACE -qn 'BEGIN { printf("begun\n"); } syscall::chdir:entry /pid == $target/ { printf("stack\n"); jstack(100); }' \
        -p $! >"$TMP/out" &
    until grep -qs begun "$TMP/out"; do sleep 0.02; done
    echo >&3
    wait
    sed -n 's/^ *//; /^stack$/p; /(.*:[0-9]*)$/p; /(no file)$/p; /^\[/p' "$TMP/out" >"$TMP/stacks"
    # From 3.4 on, Ruby leaves out the frames of rescue and ensure, and renames the frames of evaluated text.
    [[ $("$ruby" -e 'print RUBY_VERSION') < 3.4 ]] ||
        sed -i '/^\(rescue\|ensure\) in /d; s/^block .*in //; s/^<compiled>/<main>/; s/:[0-9]*)$/)/' "$TMP/stacks" "$TMP/truth"
    diff "$TMP/stacks" "$TMP/truth" >"$TMP/differences" &&
        grep -q '^stack$' "$TMP/truth" || { echo "$ruby"; cat "$TMP/differences"; }
done
