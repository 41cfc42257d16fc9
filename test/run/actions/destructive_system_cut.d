/*@
 * what:    system() truncates its command to strsize characters
 * run:     -x strsize=10 -qws %file%
 */
BEGIN { system("echo 12345%s", "67890"); exit(0); }
