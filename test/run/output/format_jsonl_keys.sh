#@ what:    -x format=jsonl prints aggregations with keys and values or buckets; printa() prints normalized values immediately
$DTRACE -x format=jsonl -qs /dev/stdin <<'D' | grep -v '"type":"record"'
BEGIN { @n["b", -1, (uint8_t)255] = sum(30); @n["a", 5, (uint8_t)0] = sum(-7); @q[2] = quantize(-3); @q[2] = quantize(5, 4); }
END { @l = lquantize(-1, 0, 10, 5); @l = lquantize(7, 0, 10, 5); @l = lquantize(10, 0, 10, 5); }
BEGIN { normalize(@n, 10); printa("%s %d %d\n", @n); exit(0); }
D
