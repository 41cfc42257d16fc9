#@ what:    members of a structure passed to a USDT probe can be read through debug information or a translator
#@ needs:   host uprobe cc
cd "$TMP" || exit 1
cat >stock.d <<'D'
struct item;
provider stock {
	probe moved(struct item *what, int to);
};
D
cat >stock.c <<'C'
struct item { const char *name; short shelf; struct item *beside; };
#include "stock.h"
static struct item tea = {"tea", 7, 0}, milk = {"milk", 9, &tea};
int main(void) { STOCK_MOVED(&milk, 3); return 0; }
C
$DTRACE -h -s stock.d -o stock.h
cc -g -O2 -c stock.c -o stock.o && $DTRACE -G -s stock.d -o probes.o stock.o && cc stock.o probes.o -o stock
$DTRACE -qn 'stock$target:::moved { printf("%s %d %d %s\n", stringof(args[0]->name), args[0]->shelf, args[1], stringof(args[0]->beside->name)); }' -c ./stock
$DTRACE -qn 'typedef struct info { int number; string title; } info_t;
translator info_t < struct item *i > { number = i->shelf + 1; title = stringof(i->name); };
stock$target:::moved { printf("%d %s\n", xlate<info_t>(args[0]).number, xlate<info_t>(args[0]).title); }' -c ./stock
