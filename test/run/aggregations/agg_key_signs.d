/*@
 * what:    an integer key of any width prints with the sign of its type
 */
struct parts { char c; short s; unsigned char uc; };
this struct parts p;
BEGIN {
    @[(signed char)-6, (short)-7, -1, -1ll] = count();
    @unsigned[(uint8_t)-6, (uint16_t)-7, (uint32_t)-1, (uint64_t)-1] = count();
    this->p.c = -8; this->p.s = -9; this->p.uc = -10;
    @members[this->p.c, this->p.s, this->p.uc] = count();
    exit(0);
}
