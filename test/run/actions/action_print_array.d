/*@
 * what:    print() shows the index of an array element if zero elements before it were omitted
 * expect:  regex
 */
struct five { int a[5]; };
BEGIN {
    this->s = (struct five *)alloca(sizeof(struct five));
    this->s->a[2] = 99; this->s->a[3] = 98;
    print(this->s);
    this->s->a[0] = 1; this->s->a[3] = 0; this->s->a[4] = 7;
    print(this->s);
    exit(0);
}
