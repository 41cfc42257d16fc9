#@ what:    USDT arguments of arm64 programs with 32-bit indexes or page-relative symbols are read
#@ needs:   uprobe arm64 g++ cc
cd "$TMP" || exit 1
cat >p.c <<'END'
long shop[4] = {10, 20, 30, 40};
void at(const int *base, long index);
asm(".pushsection .text\n"
    "at: nop\n"
    "	ret\n"
    ".type at, %function\n"
    ".size at, .-at\n"
    ".popsection\n"
    ".pushsection .note.stapsdt, \"\", \"note\"\n"
    ".balign 4\n"
    ".4byte 2f-1f, 4f-3f, 3\n"
    "1:	.asciz \"stapsdt\"\n"
    "2:	.balign 4\n"
    "3:	.8byte at, 0, 0\n"
    ".asciz \"p\"\n"
    ".asciz \"at\"\n"
    ".asciz \"-4@[x0, w1, sxtw 2] -4@[x0, w1, sxtw #2] -4@[x0, w1, uxtw] 8@[x0, #:lo12:shop+8] 8@[x0, :lo12:shop]\"\n"
    "4:	.balign 4\n"
    ".popsection\n");
int main(void)
{
	int numbers[] = {1, 2, 3, 4};
	at(numbers + 2, (long)0xdead00000000 | 0xffffffff); /* w1 is -1: the element before */
	at(numbers, (long)0xdead00000000 | 4);              /* w1 is 4 */
}
END
gcc -O1 -no-pie -o p p.c
$DTRACE -qn 'p$target:::at /n++ == 0/ { printf("%d %d %d %d\n", args[0], args[1], args[3], args[4]); }
p$target:::at /n == 2/ { printf("%d\n", args[2]); }' -c ./p
