/*@
 * what:    narrow keys print unsigned, int and long signed
 */
BEGIN { @[(int8_t)-1, (int16_t)-1, -1, -1ll] = count(); exit(0); }
