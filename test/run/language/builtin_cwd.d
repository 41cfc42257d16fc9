/*@
 * what:    cwd and root
 */
BEGIN { printf("%s\n", basename(cwd)); printf("%d\n", strlen(root) > 0 && root != "<unknown>"); exit(0); }
