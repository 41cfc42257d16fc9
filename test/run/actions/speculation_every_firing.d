/*@
 * what:    discard() frees the id immediately, so each of 300 probe hits gets a speculation
 * needs:   profile
 * run:     -qs %file% -x nspec=16 -x cpu=0
 */
BEGIN { got = 0; }
profile-997 { s = speculation(); n++; got = got + (s != 0 ? 1 : 0); }
profile-997 { speculate(s); trace(n); }
profile-997 { discard(s); }
profile-997 /n == 300/ { printf("%d\n", got); exit(0); }
