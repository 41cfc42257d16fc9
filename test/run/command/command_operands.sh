#@ what:    an argument without a program is an error with a hint such as -n, -s or -P
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
