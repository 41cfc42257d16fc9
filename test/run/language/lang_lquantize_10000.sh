#@ what:    lquantize() with ten thousand buckets counts exactly, although they do not fit into a per-CPU map value, and clear() resets them
"$DTRACE" -qn 'BEGIN { @ = lquantize(-1, 0, 10000, 1); @ = lquantize(0, 0, 10000, 1); @ = lquantize(9999, 0, 10000, 1);
    @ = lquantize(10000, 0, 10000, 1); @ = lquantize(10000, 0, 10000, 1); printa(@); clear(@); exit(0); }
    END { @ = lquantize(11, 0, 10000, 1); printa(@); }' |
    awk '$NF > 0 && !/---/ { print $1, $2, $NF }' | sed 's/|//; s/@*//g; s/  */ /g'
