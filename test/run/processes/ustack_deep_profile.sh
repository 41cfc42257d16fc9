#@ what:    stacks in profile-997 samples are mostly complete, also for a program not given by -p or -c
#@ needs:   profile
# The tracer reads the unwind tables only after the first sample, so counting begins after twenty complete stacks in a row.
"$PROGS/deep" burn 600000 &
$DTRACE -qn 'int met, n; profile-997 /pid == $1 && met < 20/ { met = ustackdepth >= 12 ? met + 1 : 0; } profile-997 /pid == $1 && met >= 20/ { @[ustack()] = count(); n++; }
    tick-100ms /n >= 200/ { exit(0); }' $! |
    awk '/`/ { sub(/^ */, ""); sub(/\+.*/, ""); stack = stack " " $0; next }
         NF { total += $1; if (stack ~ /f10 .*f9 .*f8 .*f7 .*f6 .*f5 .*f4 .*f3 .*f2 .*f1 .*main .*_start$/) complete += $1; stack = "" }
         END { print (total && complete > total / 2 ? "complete" : complete " of " total) }'
kill $!
