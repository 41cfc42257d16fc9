#@ what:    with -x hits, a service reports filtered, recorded and lost hits of a script, also after the script was detached
. ./service.bash
script counts <<<'BEGIN { @a = count(); }'
script filters <<<'BEGIN /0/ { @a = count(); }'
start -x hits
ask /v1/scripts/counts -X DELETE | value firings
ask /v1/scripts/counts | value firings
ask /v1/scripts/filters | value firings
stop
