#@ what:    in a script of a service, $pid and the pid in BEGIN are those of the service
. ./service.bash
script it <<<'#pragma D option quiet
BEGIN { printf("it is %d and %d\n", $pid, pid); }'
start
until_printed 'it is'
sed "s/$service/the service/g" "$TMP/out"
stop
