0x[0-9a-f]+ = \*
 +\(struct node\) \{
 +\.value = \(int\)7,
 +\.high = \(unsigned int\)2,
 +\.wide = \(long long\)3,
