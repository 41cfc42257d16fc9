#@ what:    an operand without a program is not ignored: what it may have been meant to be is said
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
