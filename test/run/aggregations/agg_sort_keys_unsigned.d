/*@
 * what:    integer keys sort as unsigned numbers
 */
#pragma D option aggsortkey
BEGIN { @[-1] = count(); @[1] = count(); exit(0); }
