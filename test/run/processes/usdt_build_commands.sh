#@ what:    dtrace -h and -G accept the usual build options (-C, -D, -I, -k, -x lazyload) and empty scripts
#@ needs:   host
cd "$TMP" || exit 1
mkdir include && echo '#define NUMBER int' >include/names.h
printf '#include "names.h"\nprovider one { probe go(NUMBER, WORD); };\n' >one.d
echo 'provider two { probe went(); };' >two.d
printf '# file: later.c\n\t#\n' >later.d
echo 'struct from { int x; }; struct to { int y; }; provider later { probe seen(struct from *f, int n) : (struct to *f, int n); };' >>later.d
echo 'BEGIN{}' >ask.d
: >none.d
run() {
    $DTRACE "$@" 2>&1 | sed 's/^dtrace: //' | head -n 1
    echo "$*: ${PIPESTATUS[0]}"
}
run -C -h -Iinclude -DWORD=long -s one.d -o one.h
run -h -C -I include -D WORD=long -s one.d -o one.h
run -k -64 -xnolibs -h -s two.d -o two.h
run -x nolibs -h -s later.d -o later.h
run -C -G -Iinclude -DWORD=long -xlazyload -s one.d -s two.d -o both.o
run -DSTAP_SDT_V2 -o two.o -G -s two.d
run -xnolibs -k -G -s later.d -o later.o
run -G -s ask.d -o ask.o
run -h -s none.d -o none.h
run -G -s none.d -o none.o
run -k -s two.d
run -G -y -s two.d -o y.o
grep -h 'extern void __dtrace_' ./*.h
cat >main.c <<'C'
#include "one.h"
#include "two.h"
int main(void) { ONE_GO(1, 2); TWO_WENT(); return 0; }
C
cc -c main.c && cc main.o both.o ask.o none.o -o main && ./main && ls ./*.o
