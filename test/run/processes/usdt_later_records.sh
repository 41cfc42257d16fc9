#@ what:    a probe of a program that is executed after tracing has started can write records that are larger than a page
#@ needs:   uprobe
$DTRACE -Zqn 'shop$target:::sale { printf("recorded\n"); tracemem(curthread, 8192); }' -c "sh -c 'exec $PROGS/market 3'" | grep -c recorded
