#@ what:    jstack() keeps the native functions of a program that embeds Lua between Lua functions, in several threads, with and without protected calls
#@ needs:   syscall lua5.4 x86-64
#@ timeout: 60
cat >"$TMP/script.lua" <<'END'
local function leaf() os.remove('/nothing') end
native(function()
    native(leaf)
end)
coroutine.wrap(function()
    native(leaf)
    coroutine.yield()
end)()
native(coroutine.wrap(function()
    pcall(native, leaf)
end))
elsewhere(leaf)
END
mkfifo "$TMP/go"
for last in 2 bare; do
    echo "with $last:"
    exec 3<>"$TMP/go"
    "$PROGS/lua_host" "$TMP/script.lua" $last <"$TMP/go" 2>"$TMP/state.$last" & # waits until the tracer knows the library
    until grep -qs loaded "$TMP/state.$last"; do sleep 0.02; done
    $DTRACE -qn 'BEGIN { printf("begun\n"); } syscall::unlink:entry /pid == $target/ { printf("stack\n"); jstack(); }' -p $! >"$TMP/out" &
    until grep -qs begun "$TMP/out"; do sleep 0.02; done
    echo >&3
    wait
    sed -n "s/^ *//; s,$TMP/,,g; /^stack\$/p; /^\[lua/p; /script\.lua:/p; s/^lua_host\`\(native\|elsewhere\).*/\1/p" "$TMP/out" |
        paste -sd';' | sed 's/;stack/\nstack/g; s/ (script\.lua\(:[0-9]*\))/\1/g; s/function <script.lua:\([0-9]*\)>/\1/g' | sort | uniq -c | sed 's,^ *,,'
done
