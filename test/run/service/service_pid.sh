#@ what:    $pid of a script is the service, though another process compiles it
. ./service.bash
script it <<<'#pragma D option quiet
BEGIN { printf("it is %d\n", $pid); }'
start
until_printed 'it is'
sed "s/$service/the service/" "$TMP/out"
stop
