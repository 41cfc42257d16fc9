#@ what:    a library that is opened while it is traced is unwound too: most of the stacks in it are complete
#@ needs:   profile
$DTRACE -qn 'profile-997 /pid == $target/ { @[ustack()] = count(); @at[ufunc(arg1)] = sum(1); } END { printa("at %A %@d\n", @at); trunc(@at); }' -c "$PROGS/opener $PROGS/libdeep_library.so" |
    awk '$1 == "at" { if ($2 == "libdeep_library.so`burn") at = $3; next } /`/ { sub(/^ */, ""); sub(/\+.*/, ""); stack = stack " " $0; next }
         NF { total += $1; if (stack ~ /f10 .*f9 .*f8 .*f7 .*f6 .*f5 .*f4 .*f3 .*f2 .*f1 .*called opener`main .*_start$/) complete += $1; stack = "" }
         END { print (at && complete > at / 2 ? "complete" : complete " of " at " of " total) }'
