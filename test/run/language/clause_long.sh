#@ what:    a clause with 600 array assignments and one with 300 in each branch of an if load and run
{
    echo 'int a[int]; int z; BEGIN { trace(1); this->t = timestamp;'
    printf 'a[%d] = a[%d] + 1;\n' $(for i in {1..600}; do echo $i $((i - 1)); done)
    echo 'trace(timestamp == this->t); if (a[600] == 600) {'
    printf 'a[%d]++; z++;\n' {1..300}
    echo 'if (a[1] == 2) trace(a[600]); } else {'
    printf 'a[%d]--; z--;\n' {1..300}
    echo 'trace("never"); } trace(z); } BEGIN { trace(a[300]); exit(0); }'
} >"$TMP/long.d"
$DTRACE -qs "$TMP/long.d"
