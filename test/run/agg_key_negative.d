/*@
 * what:    keys of 32 and 64 bits are signed, narrower ones show their unsigned value
 */
BEGIN { @[(char)-1, (short)-1, -1, (long long)-1] = count(); exit(0); }
