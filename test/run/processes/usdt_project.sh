#@ what:    a C and C++ project whose makefile calls dtrace -h and -G builds, and its probes fire
#@ needs:   host uprobe
cp ../../progs/market.d ../../progs/market.c "$TMP"
cd "$TMP" || exit 1
mkdir include && echo '#define id_type int' >include/kinds.h
sed -i 's/int id, const/id_type id, const/; 1i #include "kinds.h"' market.d
cat >Makefile <<E
CFLAGS = -O2 -Wall -Wextra -Werror
a.out: market.o probes.o
	\$(CC) \$(LDFLAGS) market.o probes.o
probes.o: market.o market.d
	$DTRACE -C -Iinclude -G -s market.d -o probes.o market.o
market.o: market.c market.h
market.h: market.d
	$DTRACE -C -Iinclude -h -s market.d -o market.h
E
for kind in CC=cc LDFLAGS=-static 'LDFLAGS=-Wl,--gc-sections CFLAGS=-O0' 'CC=g++ CFLAGS=-xc++'; do
    rm -f ./*.o market.h a.out
    # shellcheck disable=SC2086 # several settings
    make -s $kind || exit 1
    $DTRACE -qn 'shop$target:::sale { @ = sum(args[0]); } END { printa("%@d\n", @); }' -c './a.out 4'
done
$DTRACE -C -Iinclude -G -s market.d -o again.o market.o && cmp probes.o again.o && echo "linked again: the same"
