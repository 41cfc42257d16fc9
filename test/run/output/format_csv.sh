#@ what:    -x format=csv prints a table with a header for each clause and aggregation, quotes values as in RFC 4180, and gives bucket bounds
"$DTRACE" -qx format=csv -x hits -n '
BEGIN { trace(1); trace("a,\"b\""); printf("%d %s", -5, "x"); @q["k"] = quantize(7); @q["k"] = quantize(-3); @l = lquantize(200, 0, 100, 10); @a[1, "two"] = avg(4); }
BEGIN { trace(2); printf("no arguments"); }
BEGIN { i = 0; }
BEGIN { trace(1 / i); }
BEGIN { @n = count(); printa(@n); exit(0); }' 2>"$TMP/err" | tr -d '\r' | sed -E 's/^((clause[0-9]|error)),[0-9]+,[0-9]+,/\1,NS,CPU,/; s/pc [0-9]+$/pc N/'
