#@ what:    -G without object files writes a function for each probe; arguments, counts and stacks of these probes are right
#@ needs:   host uprobe
cd "$TMP" || exit 1
cat >stall.d <<'D'
provider stall { probe sold(int, char *, int, int, int, int, int, long); probe closed(); };
D
cat >stall.c <<'C'
#include "stall.h"
static __attribute__((noinline)) int day(int i)
{
    STALL_SOLD(i, "fig", 2, 3, 4, 5, -6, 7L - i);
    return i;
}
int main(void)
{
    int sum = 0;
    for (int i = 1; i <= 4; ++i)
        sum += day(i);
    STALL_CLOSED();
    return sum != 10;
}
C
$DTRACE -h -s stall.d || exit 1
for flags in '-O2' '-O0 -static' '-O2 -fPIE -pie -Wl,--gc-sections' '-O2 -flto' '-O2 -flto -ffat-lto-objects'; do
    # shellcheck disable=SC2086 # several options
    cc $flags -g -c stall.c -o stall.o || exit 1
    case $flags in
    *lto*) $DTRACE -G -s stall.d -o probes.o stall.o ;;
    *) $DTRACE -G -s stall.d -o probes.o ;;
    esac || exit 1
    # shellcheck disable=SC2086
    cc $flags stall.o probes.o -o stall || exit 1
    ./stall || echo "untraced: wrong"
    $DTRACE -ln 'stall$target:::' -c ./stall | awk 'NR > 1 { print $4, $5 }'
    $DTRACE -qn 'stall$target:::sold { @n = count(); @s = sum(arg0); @t = sum(args[7]); printf("%s%d ", copyinstr(arg1), args[6]); }
stall$target:::closed { @n = count(); } END { printa("%@d", @n); printa(" %@d", @s); printa(" %@d\n", @t); }' -c ./stall
done
cc -O2 -fno-omit-frame-pointer -g -c stall.c && $DTRACE -G -s stall.d -o probes.o && cc stall.o probes.o -o stall
$DTRACE -qn 'stall$target:::sold /arg0 == 1/ { ustack(3); }' -c ./stall | sed -n 's/^ *\([^ ]*`[^+]*\).*/\1/p'
cp probes.o again.o && cc stall.o probes.o again.o -o stall
$DTRACE -qn 'stall$target:::sold { @n = count(); } END { printa("%@d sold\n", @n); }' -c ./stall
