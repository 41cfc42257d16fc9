#@ what:    tseries() is printed, sorted, divided, cleared and truncated like other aggregations; its times vary
# All firings of BEGIN are in the same interval, unless midnight UTC passes between them.
masked() { sed -E 's/[0-9]{4}(-[0-9]{2}){2} [0-9]{2}(:[0-9]{2}){2}/TIME/'; }
$DTRACE -qn 'BEGIN { @n = tseries(9, 86400s, 3, "count"); @n = tseries(9, 86400s, 3, "count");
        @s = tseries(-5, 86400s, 3, "sum"); @s = tseries(2, 86400s, 3, "sum"); @a = tseries(-5, 86400s, 3, "avg");
        @a = tseries(2, 86400s, 3, "avg"); @i = tseries(-5, 86400s, 3, "min"); @i = tseries(2, 86400s, 3, "min");
        @x = tseries(-5, 86400s, 3, "max"); @x = tseries(2, 86400s, 3, "max"); exit(0); }' | masked
echo "--- keys are sorted by their values, or by the keys"
program='BEGIN { @["b", 1] = tseries(30, 86400s, 1000, "sum"); @["a", 2] = tseries(20, 86400s, 1000, "sum");
    @["c", 3] = tseries(10, 86400s, 1000, "sum"); @["c", 3] = tseries(90, 86400s, 1000, "sum"); exit(0); }'
$DTRACE -qn "$program" | masked | grep -o '[abc]  *[123] *$'
$DTRACE -x aggsortkey -qn "$program" | masked | grep -o '[abc]  *[123] *$'
echo "--- actions"
$DTRACE -qn "$program END { normalize(@, 10); printa(\"%s %d %@d\", @); denormalize(@); trunc(@, 1); printa(@); clear(@); printa(@);
    trunc(@); printa(@); }" | masked
$DTRACE -qn 'BEGIN { @ = tseries(3, 86400s, 2, "avg"); exit(0); } END { printa(@); clear(@); printa(@); trunc(@); printa(@); }' | masked
