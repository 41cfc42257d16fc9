#@ what:    a library that is opened while it is traced is unwound too: most of the stacks in it are complete
#@ needs:   profile
$DTRACE -qn 'profile-997 /pid == $target/ { @[ustack()] = count(); }' -c "$PROGS/opener $PROGS/libdeep_library.so" |
    awk '/`/ { sub(/^ */, ""); sub(/\+.*/, ""); stack = stack " " $0; next }
         NF { total += $1; if (stack ~ /f10 .*f9 .*f8 .*f7 .*f6 .*f5 .*f4 .*f3 .*f2 .*f1 .*called opener`main .*_start$/) complete += $1; stack = "" }
         END { print (total && complete > total / 2 ? "complete" : complete " of " total) }'
