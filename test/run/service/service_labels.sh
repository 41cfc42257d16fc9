#@ what:    labels from -x labels in a script appear in its status and its JSON output
. ./service.bash
script one <<<'#pragma D option labels=team=web,env=prod
#pragma D option format=jsonl
BEGIN { @["a"] = count(); }'
script two <<<'BEGIN { x = 1; }'
start
ask /v1/scripts/one | value labels
ask /v1/scripts/two | value labels
stop
grep -o '"type":"[a-z]*"\|"labels".*' "$TMP/out"
