#@ what:    every clock sample of a Lua program with coroutines and callbacks has its functions in the right order
#@ needs:   lua5.4 x86-64
cat >"$TMP/nest.lua" <<'END'
local function step(i)
    return i * 2 % 7
end
local function leaf(count)
    local sum = 0
    for i = 1, count do
        sum = sum + step(i)
    end
    return sum
end
local function order(a, b)
    return leaf(50) * 0 + a < b
end
local function nest()
    local values = {}
    for i = 1, 20 do
        values[i] = i * 7 % 20
    end
    table.sort(values, order)
end
local function generate()
    while true do
        nest()
        coroutine.yield(leaf(20))
    end
end
local function work(finish)
    for _ in coroutine.wrap(generate) do
        pcall(leaf, 30)
        if os.clock() > finish then
            return
        end
    end
end
work(1)
END
# Prints each stack on one line, as functions with their first lines, and with the line of the call in those that called native code.
# A stack whose innermost call is about to begin or to end may have a mark.
$DTRACE -qn 'profile-997 /pid == $target && arg1/ { printf("stack\n"); jstack(); }' -c "lua5.4 $TMP/nest.lua" 2>"$TMP/messages" |
    sed -n 's/^ *//; s/^stack$/;/p; s/^\(\[[li].*\)/\1/p; s/^function <.*nest\.lua:\([0-9]*\)> (.*nest\.lua\(:[0-9]*\)\{0,1\})$/\1\2/p; s/^main chunk (.*nest\.lua\(:[0-9]*\)\{0,1\})$/main\1/p' |
    tr '\n' ' ' | tr ';' '\n' | grep ' main' | grep -v incomplete >"$TMP/stacks" # until the tables are loaded
leaf='((1 )?4(:7)? )'
nest="(((${leaf}?11(:12)? )?14(:19)? )|$leaf)?21(:2[34])? "
grep -Ev "^ (\[lua: a call begins\] )?(${nest}27:28 |$leaf?27(:(28|29|30))? )main:35 $" "$TMP/stacks"
[ "$(grep -c '^ 1 4:7 ' "$TMP/stacks")" -gt 10 ] && [ "$(grep -c begins "$TMP/stacks")" -lt "$(($(wc -l <"$TMP/stacks") / 50))" ] && echo right
cat "$TMP/messages"
