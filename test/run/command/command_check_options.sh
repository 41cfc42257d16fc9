#@ what:    -e without a program checks the values of the other options
run()
{
    $DTRACE "$@" 2>&1
    echo "status $?"
}
run -e
run -b 1g -e
run -b 1x -e
