#@ what:    if the reader of the output is slow, blocks or exits, status and END output are as documented, and printed and lost records add up
#@ needs:   syscall
#@ timeout: 120
[ -n "$DTRACE_GUEST" ] && export CALLS=3000
../../fire/readers --count 5
