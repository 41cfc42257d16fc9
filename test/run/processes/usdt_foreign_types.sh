#@ what:    -h and -G accept provider definitions with types of the program, remapped arguments, and no final semicolon
#@ needs:   host uprobe
cd "$TMP" || exit 1
cat >styles.d <<'D'
provider counts { probe widths(uintmax_t, u_char flags, mach_port_t port, zoneid_t) };
D
sed -i 's/ };$/; }/' styles.d # removes the last semicolon
cat >>styles.d <<'D'
/* a comment behind */
provider remaps {
	probe place(int i, int j) : (int j, int i, int i);
	probe return(int self, char *string, const char *this);
}
provider objects {
	probe message(SEL name, ngx_str_t *text, Tcl_Obj *const objv[], struct request **chain, bool last);
	probe call(void (*function)(int), enum kind what, volatile unsigned char *bytes);
};
D
cat >main.c <<'C'
#include "styles.h"
typedef struct { unsigned long length; const char *data; } ngx_str_t;
struct request { int fd; };
typedef struct selector { int of; } *SEL;
enum kind { Plain = 4 };
static void nothing(int i) { (void)i; }
int main(void)
{
    static const ngx_str_t text = {5, "hello"};
    static struct selector method;
    static struct request *chain[1];
    static unsigned char bytes[2] = "B";
    COUNTS_WIDTHS(~0UL, 200, 3, -1);
    REMAPS_PLACE(1, 2);
    REMAPS_RETURN(7, (char *)"seven", "this");
    OBJECTS_MESSAGE((SEL)&method, &text, 0, chain, 1);
    OBJECTS_CALL(nothing, Plain, bytes);
    return text.data[0] != 'h';
}
C
$DTRACE -h -s styles.d || exit 1
printf '#include "styles.h"\n' >alone.c
for compiler in 'cc -std=c99' 'cc -std=gnu17' 'c++ -xc++ -std=c++17'; do
    $compiler -Wall -Wextra -Werror -c alone.c -o alone.o && $compiler -Wall -Werror -O2 -c main.c -o main.o || exit 1
    $DTRACE -G -s styles.d -o probes.o main.o && c++ -o main main.o probes.o || exit 1
    $DTRACE -qn 'counts$target:::widths { printf("%x %d %d %d\n", args[0], args[1], args[2], (int)args[3]); }
remaps$target:::place { printf("%d %d %d, %d %d\n", args[0], args[1], args[2], arg0, arg1); }
remaps$target:::return { printf("%d %s %s\n", args[0], copyinstr(arg1), copyinstr(arg2)); }
objects$target:::message { printf("%d %s %d\n", *(unsigned long *)copyin(arg1, 8), args[0] != 0 ? "name" : "", args[4]); }
objects$target:::call { printf("%d %c\n", args[1], *(char *)copyin(arg2, 1)); }' -c ./main
done
$DTRACE -lvn 'objects$target:::message' -c ./main | grep 'args\['
