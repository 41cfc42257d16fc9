#@ what:    a thousand clauses on one probe all run in order, once per hit
{
    echo 'int last, ordered;'
    for ((i = 1; i <= 1000; i++)); do
        echo "syscall::getppid:entry /pid == \$target/ { @sum = sum($i); ordered += last == $i - 1; last = $i; @stacks[stack(2)] = count(); }"
    done
    echo 'END { printf("%d in order\n", ordered); printa("sum %@d\n", @sum); printa("stacks %@d\n", @stacks); }'
} >"$TMP/thousand.d"
$DTRACE -qs "$TMP/thousand.d" -c "$PROGS/calls 1" 2>&1
