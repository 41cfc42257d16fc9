#@ what:    jstack() prints the functions, files and lines of a Lua program as the program itself sees them, also through coroutines and pcall()
#@ needs:   syscall lua5.4 x86-64
#@ timeout: 60
for lua in ${LUAS:-lua5.4}; do
    $DTRACE -qn 'syscall::unlink:entry /pid == $target/ { printf("stack\n"); jstack(100); }' \
        -c "$lua jstack_lua_nest.lua $TMP/truth" >"$TMP/out"
    sed -n 's/^ *//; /^stack$/p; /(.*:[0-9]*)$/p; /^\[lua/p' "$TMP/out" | diff - "$TMP/truth" >"$TMP/differences" &&
        grep -q '^stack$' "$TMP/truth" || { echo "$lua"; cat "$TMP/differences"; }
done
