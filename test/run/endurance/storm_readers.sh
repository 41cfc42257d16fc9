#@ what:    with slow, blocked and closed readers, exit status and END output are right and record counts add up (test/fire/readers)
#@ needs:   syscall
#@ timeout: 120
[ -n "$DTRACE_GUEST" ] && export CALLS=3000
../../fire/readers --count 5
