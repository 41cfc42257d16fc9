#@ what:    aggregations with keys of more than 512 bytes add, sort, clear and truncate like those with shorter keys
$DTRACE -x strsize=600 -qn 'BEGIN { @n["ab", "cd"] = count(); @n["ab", "ce"] = count(); @n["ab", "cd"] = count();
        @q["ab", "cd"] = quantize(4); @q["ab", "cd"] = quantize(5); @m["x", "y"] = max(7); @m["x", "y"] = max(3); @m["x", ""] = max(-4);
        exit(0); }
    END { printa("%s %s %@d\n", @n); trunc(@n, 1); printa("left %s %s %@d\n", @n); clear(@n); printa("cleared %s %s %@d\n", @n);
        printa("%s %s %@d\n", @q); normalize(@m, 2); printa("%s %s %@d\n", @m); }' | grep '[0-9]'
