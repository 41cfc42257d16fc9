#@ what:    offwaketime.d shows where and how long a program waits, and the stack of the thread that wakes it
#@ needs:   syscall
"$DTRACE" -s offwaketime.d sort 100000 -c 'sh -c "sleep 0.3 | sort; sleep 0.01"' |
    awk '/^ +[0-9]+$/ { waited = $1 } / slept in/ { who = $1; n++ } /pipe_read/ { where = "in a pipe" } / woke it in/ { print who, where, "woken by", $1, (waited >= 100000 ? "then" : waited) }
        END { print n }'
