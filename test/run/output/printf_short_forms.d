/*@
 * what:    %hd, %hu, %hx and %ho accept arguments of type short
 */
BEGIN { printf("%hd %hi %hu %hx %ho\n", (short)-5, (short)-6, (unsigned short)7, (short)-1, (unsigned short)8); exit(0); }
