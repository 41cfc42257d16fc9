#@ what:    with -x firings the service says how the firings of a script ended, also when it was detached
. ./service.bash
script counts <<<'BEGIN { @a = count(); }'
script filters <<<'BEGIN /0/ { @a = count(); }'
start -x firings
ask /v1/scripts/counts -X DELETE | value firings
ask /v1/scripts/counts | value firings
ask /v1/scripts/filters | value firings
stop
