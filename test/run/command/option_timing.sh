#@ what:    -x timing prints the total startup and shutdown times and the duration of each step
# Prints the names of the steps, with their parts indented. Then checks that the last step ends at the total time, and that the shares add up to 100 %.
steps()
{
    awk '
/ of which / { next }
/^[a-z ]+: [0-9.]+ ms$/ { all = $(NF - 1); sub(/:.*/, ""); title = $0; print title ":"; share = 0; next }
/%/ && NF >= 6 { over = $1; share += $5; name = $6; for (i = 7; i <= NF; i++) name = name " " $i; print "  " name; next }
/^ *ended at/ { next }
/^$/ { if (title != "" && over != "") print (over == all && share > 99 && share < 101 ? "  sum" : "  no sum: " over " of " all ", " share); over = title = ""; next }
/^verified/ { verified = 1; print; next }
verified && $1 > 0 { print "  " $2; next }'
}
echo "== compiled only"
{ $DTRACE -x timing -en 'syscall::getppid:entry { @ = count(); }' 2>&1; echo; } | steps
echo "== run"
{ $DTRACE -qx timing -n '
BEGIN { i = 1; }
syscall::getppid:entry { i++; }
profile-97 { i++; }
END { i = 0; }' -c true 2>&1; echo; } | steps
echo "== asked for by the program, when steps were done"
{ $DTRACE -qn '
#pragma D option timing
BEGIN { exit(0); }' 2>&1; echo; } | steps | head -2
echo "== nobody asks"
$DTRACE -qn 'BEGIN { exit(0); }' 2>&1
