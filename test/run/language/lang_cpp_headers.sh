#@ what:    with -C, a program can include C headers; names that D defines, such as printf, keep their meaning in D
#@ needs:   syscall host
cd "$TMP" || exit 1
mkdir include
cat >include/shape.h <<'END'
#ifndef SHAPE_H
#define SHAPE_H
typedef unsigned long size_t;
typedef int int32_t;
#define SIDES 4
struct shape { int32_t sides; size_t area; char name[]; };
typedef struct shape shape_t;
enum colour { RED = 3, GREEN };
extern int printf(const char *restrict format, ...);
extern char *index(const char *text, int c);
extern int draw(shape_t *, char *const options[]);
extern int errno;
#endif
END
cat >t.d <<'END'
#!/usr/sbin/dtrace -Cs
#include <stdint.h>
#include <sys/types.h>
#include "shape.h"
#include "shape.h"
#define AREA(s)	(SIDES * (s))
BEGIN
{
	this->s = (shape_t *)0;
	printf("%d %d %d %d\n", AREA(2), sizeof(shape_t), sizeof(this->s->sides), GREEN);
	printf("%d %d %d\n", index("abc", "c"), errno, sizeof(uint16_t));
#ifdef __SUNW_D
	printf("%x %d\n", __SUNW_D_VERSION, __SUNW_D_64);
#endif
#if defined(__linux) && defined(__Linux) && defined(__unix) && defined(__SVR4) && !defined(__GNUC__)
	printf("names\n");
#endif
	exit(0);
}
END
"$DTRACE" -q -C -I include -s t.d
"$DTRACE" -q -x version=1.6.1 -C -Iinclude -s t.d | grep 1006
echo 'int x; string x; typedef long size_t;' >include/bad.h
printf '#include "bad.h"\n\nBEGIN { trace(nosuch); }\n' >b.d
"$DTRACE" -x diag=brief -C -I include -s b.d 2>&1
printf '\n#define X\nBEGIN { trace(nosuch); }\n' >b.d
"$DTRACE" -x diag=brief -C -s b.d 2>&1
printf 'typedef unsigned long size_t;\nBEGIN { exit(0); }\n' >b.d
"$DTRACE" -x diag=brief -C -s b.d 2>&1 | head -n 1
"$DTRACE" -x cpppath=/nonexistent/cpp -C -s b.d 2>&1
"$DTRACE" -x cpppath=/bin/false -C -s b.d 2>&1
exit 0
