-- Calls a system call in many kinds of functions, and writes the stack at each place to a file. Functions in C have no
-- lines and are left out.
collectgarbage('stop') -- so that __gc() runs at the end
local out = assert(io.open(arg[1], 'w'))
local resumers = {} -- the coroutine that resumed a coroutine

local function place(info)
    local file = info.source:match('^[@=](.*)') or info.short_src
    local name = info.what == 'main' and 'main chunk' or ('function <%s:%d>'):format(file, info.linedefined)
    return ('%s (%s:%d)\n'):format(name, file, info.currentline)
end

local function show()
    out:write('stack\n')
    local thread, level = coroutine.running(), 2
    while thread do
        local info = debug.getinfo(thread, level, 'Sl')
        while info do
            if info.what ~= 'C' then
                out:write(place(info))
            end
            level = level + 1
            info = debug.getinfo(thread, level, 'Sl')
        end
        thread, level = resumers[thread], 0
    end
end

local function wrap(body)
    local thread = coroutine.create(body)
    return function(...)
        resumers[thread] = coroutine.running()
        local results = table.pack(coroutine.resume(thread, ...))
        resumers[thread] = nil
        return table.unpack(results, 1, results.n)
    end
end

function leaf()
    os.remove('/nothing/at/all') show()
end

local Shop = {}
Shop.__index = Shop

function Shop:sell(left)
    if left > 0 then
        self:sell(left - 1)
    else
        leaf()
    end
    return left
end

function Shop.__add(a, b)
    leaf()
    return a
end

function Shop.__close()
    leaf()
end

function Shop.__gc()
    leaf()
end

local function new()
    return setmetatable({}, Shop)
end

local function counter()
    local count = 0
    return function()
        count = count + 1
        leaf()
        return count
    end
end

local function tail()
    return leaf()
end

local function variadic(...)
    local first = select('#', ...)
    leaf()
    return first, ...
end

leaf()
new():sell(20)
counter()()
tail()
variadic(1, nil, 3)
table.sort({ 3, 1, 2 }, function(a, b)
    new():sell(1)
    return a < b
end)
string.gsub('ab', '.', function(each)
    leaf()
    return each
end)
local _ = new() + 1
_ = setmetatable({}, { __index = function(_, key)
    leaf()
    return key
end }).missing
do
    local closed <close> = new()
end
pcall(function()
    leaf()
    error('expected')
end)
xpcall(function()
    local nothing
    nothing.field = 1
end, function()
    leaf()
end)
pcall(pcall, leaf)
load('\nlocal function loaded()\n    leaf()\nend\nloaded()\nleaf()')()
load('leaf()', '=described')()
load('leaf()', 'leaf() -- ' .. ('x'):rep(80))()
load(string.dump(load('leaf()', '@stays.lua')))()
for each in wrap(function()
    for i = 1, 2 do
        leaf()
        coroutine.yield(i)
        new():sell(i)
    end
end) do
    if each ~= true then
        break
    end
    leaf()
end

-- A coroutine that continues inside of pcall() runs all its functions from one call of the interpreter's loop.
local resume = wrap(function()
    pcall(function()
        leaf()
        coroutine.yield()
        leaf()
        local inner = wrap(function()
            table.sort({ 2, 1 }, function(a, b)
                leaf()
                return a < b
            end)
            coroutine.yield()
            leaf()
        end)
        inner()
        leaf()
        inner()
    end)
    leaf()
    coroutine.yield()
    pcall(leaf)
end)
resume()
new():sell(2)
resume()
pcall(resume)

-- functions with many instructions and many lines
local lines = { 'local a = 0' }
for i = 1, 400 do
    lines[#lines + 1] = i % 3 == 0 and 'a = a + ' .. i or i % 50 == 1 and ('\n'):rep(i) .. 'leaf()' or 'a = a * 2 a = a - 1'
end
load(table.concat(lines, '\n'), '@long.lua')()

debug.sethook(function()
    debug.sethook()
    leaf()
end, 'c')
new():sell(1)
collectgarbage()
