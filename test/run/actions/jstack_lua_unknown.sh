#@ what:    for a Lua of unknown version, jstack() prints a mark instead of Lua names, prints the native frames, and reports the reason once
#@ needs:   syscall lua5.4 x86-64
# Makes a copy of the interpreter that claims another version.
sed 's/\$LuaVersion: Lua 5\.4\.[0-9]/$LuaVersion: Lua 5.7.0/' "$(readlink -f "$(type -P lua5.4)")" >"$TMP/lua"
chmod +x "$TMP/lua"
printf 'local function call() os.remove("/nothing") end\ncall() call()\n' >"$TMP/program.lua"
$DTRACE -qn 'syscall::unlink:entry /pid == $target/ { printf("stack\n"); jstack(); }' -c "$TMP/lua $TMP/program.lua" \
    >"$TMP/out" 2>"$TMP/messages"
grep -o '^stack\|\[lua: .*\]' "$TMP/out"
grep -o 'program.lua' "$TMP/out"
grep -q '^ *lua`lua_pcallk' "$TMP/out" && echo native frames
grep -o 'have no names: .*' "$TMP/messages"
