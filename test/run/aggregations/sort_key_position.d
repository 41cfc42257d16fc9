/*@
 * what:    option aggsortkeypos selects the key by which option aggsortkey sorts first
 * run:     -qs %file% -x aggsortkey -x aggsortkeypos=1
 */
BEGIN { @a[1, 30] = sum(1); @a[2, 20] = sum(2); @a[3, 10] = sum(3); exit(0); }
