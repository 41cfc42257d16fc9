#@ what:    offcputime.d: where a program sleeps, and for how long
#@ needs:   syscall
# The clock runs before the thread is off the CPU, and on a slow machine that takes a while.
"$DTRACE" -s offcputime.d 50 -c "/bin/sleep 0.2" | awk '/sleep +$/ { print $1 } /nanosleep/ { stack = 1 } /^ +[0-9]+$/ { print stack, ($1 >= 150000 && $1 < 5000000) }'
