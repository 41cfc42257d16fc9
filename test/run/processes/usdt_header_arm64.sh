#@ what:    headers from -h and objects from -G work for arm64 programs
#@ needs:   host
cd "$TMP" || exit 1
echo 'provider p { probe go(int); probe done(); };' >p.d
cat >p.c <<'END'
#include "p.h"
int f(int x)
{
	if (P_GO_ENABLED())
		P_GO(x);
	P_DONE();
	return x;
}
END
mkdir include # the headers for arm64 may not be installed
echo 'typedef unsigned int uint32_t;' >include/inttypes.h
touch include/unistd.h
$DTRACE -h -s p.d && clang --target=aarch64-linux-gnu -nostdinc -isystem include -O2 -c p.c
$DTRACE -G -s p.d -o probes.o p.o && echo linked
# the two probe sites have become nop instructions; the is-enabled check is still a call
readelf -h probes.o | grep -c AArch64
readelf -rW p.o | grep -c 'CALL26\|JUMP26'
objcopy -I elf64-little -O binary -j .text p.o text
od -An -tx4 -v -w4 text | grep -c d503201f
