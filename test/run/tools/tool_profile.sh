#@ what:    profile.d counts the samples of a busy program by stack, also as folded stacks
#@ needs:   syscall
# The number of samples depends on the machine (an emulated one on a busy host gets few), so a second clause on the same probe counts them.
# The tool does not show the rarest stacks.
"$DTRACE" -s profile.d -n 'profile-97 /pid == $target/ { @all = sum(1); @at[ufunc(arg1)] = sum(1); }
    END { printa("all %@d\n", @all); printa("at %A %@d\n", @at); }' -c "$PROGS/burn 500" |
    awk '/burn`main/ && !/^at/ { found = 1 } /^ +[0-9]+$/ { shown += $1; if (found) n += $1; found = 0 } /^all/ { all = $2 } $2 == "burn`main" { at = $3 }
        END { print (at > 0 && n > 0 && at <= n + all - shown && n <= all ? "all of them" : at " at it, " n " of " shown " found, of " all) }'
"$DTRACE" -x format=folded -s profile.d other -c "$PROGS/burn 100" | wc -l
"$DTRACE" -x format=folded -s profile.d burn -c "$PROGS/burn 500" | grep -q '^burn;.*;main [0-9]*$' && echo folded
