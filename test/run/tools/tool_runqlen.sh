#@ what:    runqlen.d shows the number of threads waiting for a CPU while two programs compute
#@ needs:   syscall
# While both programs run on CPU 0, one of them waits in each sample that finds the other on the CPU.
printf '#!/bin/bash\ntaskset -c 0 %s/burn 500 &\ntaskset -c 0 %s/burn 500\nwait\n' "$PROGS" "$PROGS" >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -s runqlen.d -n 'int burning;
    proc:::exec-success /execname == "burn" && progenyof($target)/ { burning++; }
    proc:::exit /execname == "burn" && progenyof($target)/ { burning--; }
    profile-99 /burning == 2 && cpu == 0 && execname == "burn"/ { @two = sum(1); }
    END { printa("two %@d\n", @two); }' -c "$TMP/script" |
    awk '/CPU/ { cpu = $NF } / \|/ && $1 >= 1 && cpu == 0 { n += $NF } /^two/ { two = $2 } END { print (two > 0 && n >= two ? "each time" : n " of " two) }'
