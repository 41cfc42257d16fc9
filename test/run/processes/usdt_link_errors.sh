#@ what:    an error of -G or -h prints one line and leaves no output file
#@ needs:   cc
cd "$TMP" || exit 1
echo 'provider p { probe go(); };' >p.d
echo 'BEGIN { }' >none.d
echo 'no object' >text.o
echo 'extern void __dtrace_p___gone(void); void f(void) { __dtrace_p___gone(); }' >gone.c
echo 'extern void __dtrace_p___go(void); void *g = (void *)__dtrace_p___go;' >taken.c
echo 'void h(void) { }' >idle.c
cc -c gone.c taken.c idle.c
run() {
    $DTRACE "$@" 2>&1 | sed 's/^dtrace: //'
    echo "status ${PIPESTATUS[0]}"
}
run -G -s p.d gone.o
run -G -s p.d taken.o
run -G -s p.d idle.o
run -G -s p.d text.o
run -G -s p.d missing.o
run -G -s none.d idle.o
run -G -s p.d -o idle.o idle.o
run -h -n BEGIN
run -G
ls
