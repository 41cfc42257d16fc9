#@ what:    with slow, stopped and closed readers: the exit status, END's lines, and printed + dropped = recorded (test/fire/readers)
#@ needs:   syscall
#@ timeout: 120
[ -n "$DTRACE_GUEST" ] && export CALLS=3000
../../fire/readers --count 5
