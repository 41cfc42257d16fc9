#@ what:    lquantize() with ten thousand buckets exceeds a per-CPU value but counts correctly, and clear() resets it
"$DTRACE" -qn 'BEGIN { @ = lquantize(-1, 0, 10000, 1); @ = lquantize(0, 0, 10000, 1); @ = lquantize(9999, 0, 10000, 1);
    @ = lquantize(10000, 0, 10000, 1); @ = lquantize(10000, 0, 10000, 1); printa(@); clear(@); exit(0); }
    END { @ = lquantize(11, 0, 10000, 1); printa(@); }' |
    awk '$NF > 0 && !/---/ { print $1, $2, $NF }' | sed 's/|//; s/@*//g; s/  */ /g'
