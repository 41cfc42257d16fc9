#@ what:    $pid of a script, and pid in its BEGIN, are the service, though others compile and load it
. ./service.bash
script it <<<'#pragma D option quiet
BEGIN { printf("it is %d and %d\n", $pid, pid); }'
start
until_printed 'it is'
sed "s/$service/the service/g" "$TMP/out"
stop
