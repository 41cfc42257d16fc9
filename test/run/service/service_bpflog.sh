#@ what:    with -x bpflog a service prints what the verifier says of its scripts, as its messages promise
#@ needs:   syscall
. ./service.bash
script a <<<'syscall::getsid:entry { @ = count(); }'
start -x bpflog
until [ "$(state a)" = tracing ]; do sleep 0.02; done
grep -qE '^BPF: processed [0-9]+ insns' "$TMP/err" && echo said
stop
