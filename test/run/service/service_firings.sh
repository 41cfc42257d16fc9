#@ what:    with -x hits, a service reports the outcomes of a script's probe hits, also after it was detached
. ./service.bash
script counts <<<'BEGIN { @a = count(); }'
script filters <<<'BEGIN /0/ { @a = count(); }'
start -x hits
ask /v1/scripts/counts -X DELETE | value firings
ask /v1/scripts/counts | value firings
ask /v1/scripts/filters | value firings
stop
