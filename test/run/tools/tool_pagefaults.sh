#@ what:    pagefaults.d counts one fault for each page that a program touches for the first time
#@ needs:   syscall
# Pages of the program that were dropped from the page cache cause major faults. The tool must not show more major faults than the kernel
# counts.
"$DTRACE" -s pagefaults.d -n 'syscall::exit_group:entry /pid == $target/ { printf("major %d\n", curthread->maj_flt); }' -c "$PROGS/touch_pages 2000" |
    awk '$1 == "major" { major = $2 } $1 == "touch_pages" { print $1, ($2 >= 2001 && $2 < 2200), ($3 > major ? $3 " of " major : 0) }'
