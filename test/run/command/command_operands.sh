#@ what:    an operand without a program is refused with a hint about its likely meaning
run()
{
    $DTRACE "$@" 2>&1
    echo "status $?"
}
cd "$TMP" && : >s1.d
run -l syscall
run 'syscall:::entry { @ = count(); }'
run s1.d
run -e 'BEGIN { exit(0); }'
