#@ what:    -x bpflog makes a service print the verifier's log for its scripts
#@ needs:   syscall
. ./service.bash
script a <<<'syscall::getsid:entry { @ = count(); }'
start -x bpflog
until [ "$(state a)" = tracing ]; do sleep 0.02; done
grep -qE '^BPF: processed [0-9]+ insns' "$TMP/err" && echo said
stop
