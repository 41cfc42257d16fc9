#@ what:    END can print, clear or truncate one of 60 aggregations without changing the others, which print at exit
{
    for i in {0..59}; do
        echo "BEGIN { @a$i[$i] = sum($i); @a$i[1000] = sum(1000); }"
    done
    echo 'BEGIN { exit(0); }'
    echo 'END { @a10[10] = sum(5); printa("%d:%@d ", @a10); }'
    echo 'END { printa("%d:%@d ", @a7); trunc(@a7); clear(@a8); trunc(@a9, 1); printa("%d:%@d ", @a8); printa("%d:%@d ", @a9); printa("[%d:%@d] ", @a7); printf("\n"); }'
} >"$TMP/many.d"
# END prints four aggregations, which are not printed again at exit. For the other 56, awk adds up keys and values.
$DTRACE -qs "$TMP/many.d" | awk 'NR == 1 { print; next } NF == 2 { keys += $1; values += $2; rows++ } END { print rows, keys, values }'
