#@ what:    offcputime.d shows the stacks in which a program sleeps, with the time
#@ needs:   syscall
# On a busy machine the program also waits for a CPU, in other stacks. The time of its sleep is at most the time of the system call minus the CPU time in it.
"$DTRACE" -s offcputime.d 50 -n 'syscall::clock_nanosleep:entry /pid == $target && $1/ { self->at = timestamp; self->on = vtimestamp; }
    syscall::clock_nanosleep:return /self->at/ { printf("call %d %d\n", (timestamp - self->at) / 1000, (timestamp - self->at - (vtimestamp - self->on)) / 1000); }' \
    -c "/bin/sleep 1" | awk '/^call/ { call = $2; off = $3 } /sleep +$/ { name = $1; asleep = 0 } /nanosleep/ { asleep = 1 } /^ +[0-9]+$/ && asleep { slept = $1; print name; asleep = 0 }
    END { print (slept >= off / 2 && slept >= 50000 && slept <= call ? "as long" : slept " of " off " of " call) }'
