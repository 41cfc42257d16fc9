#@ what:    dtrace service without a known verb lists the verbs with status 2, and its help describes them
for verb in "" stop; do
    $DTRACE service $verb 2>&1
    echo "status $?"
done
$DTRACE service --help
$DTRACE service help | cmp - <($DTRACE service show --help)
