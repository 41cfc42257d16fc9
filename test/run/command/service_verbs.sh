#@ what:    dtrace service with a missing or unknown verb lists the verbs and exits with status 2, and --help describes them
for verb in "" stop; do
    $DTRACE service $verb 2>&1
    echo "status $?"
done
$DTRACE service --help
$DTRACE service help | cmp - <($DTRACE service show --help)
