/*@
 * what:    integer keys are compared unsigned
 */
#pragma D option aggsortkey
BEGIN { @[-1] = count(); @[1] = count(); exit(0); }
