#@ what:    if a script does not compile or calls exit(), the service runs the others and shows the error in its status
. ./service.bash
script bad <<<'BEGIN { @[copyinstr(execname)] = count(); }'
script good <<<'#pragma D option quiet
BEGIN { printf("good begins\n"); } END { printf("good ends\n"); }'
script over <<<'BEGIN { exit(3); }'
script pattern <<<'syscall::no_such_call:entry { trace(1); }'
start
until [ "$(state over)" = ended ]; do sleep 0.02; done
for each in bad good over pattern; do
    echo "$each $(state $each) $(ask /v1/scripts/$each | value exit_status)"
done
ask /v1/scripts/bad | value error | sed "s|$dir|DIR|g"
ask /v1/scripts/pattern | value error | grep -o 'does not match any probes'
until_printed 'good begins'
stop
grep good "$TMP/out"
sed -n "s|$dir|DIR|g; /bad:/p" "$TMP/err"
