#@ what:    for a Lua of unknown version, jstack() prints a mark instead of Lua names, prints the native frames, and reports the reason once
#@ needs:   syscall lua5.4 x86-64
. ./unknown_build.bash
# Makes a copy of the interpreter that claims another version.
sed 's/\$LuaVersion: Lua 5\.4\.[0-9]/$LuaVersion: Lua 5.7.0/' "$(readlink -f "$(type -P lua5.4)")" >"$TMP/lua"
chmod +x "$TMP/lua"
printf 'local function call() os.remove("/nothing") end\ncall() call()\n' >"$TMP/program.lua"
unknown_build lua unlink program.lua '^ *lua`lua_pcallk' "$TMP/lua $TMP/program.lua"
