0x[0-9a-f]+ = \*
 +\(struct shape\) \{
 +\.name = \(userland char \*\)0x[0-9a-f]+,
 +\.y = \(int\)12,
 +\.colour = \(enum colour\)BLUE,
 +\.high = \(unsigned int\)2,
 +\.wide = \(int64_t\)3,
 +\.whole = \(long\)4,
 +\(short\)6,
