#@ what:    pagefaults.d: a fault for each page that a program touches for the first time
#@ needs:   syscall
"$DTRACE" -s pagefaults.d -c "$PROGS/touch_pages 2000" | awk '$1 == "touch_pages" { print $1, ($2 >= 2001 && $2 < 2200), $3 }'
