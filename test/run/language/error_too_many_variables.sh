#@ what:    a program can have 64,000 global variables, and one more is error D_ID_OFLOW
#@ needs:   host
cd "$TMP"
declare() { seq -f 'int v%.0f;' "$1"; echo 'BEGIN { exit(0); }'; }
declare 64000 >most.d
declare 64001 >more.d
$DTRACE -e -s most.d; echo "status $?"
$DTRACE -x errtags -e -s more.d 2>&1 | grep -o '\[D_.*\] line [0-9]*'
