/*@
 * what:    cwd and root give the working directory and the root directory of the process
 */
BEGIN { printf("%s\n", basename(cwd)); printf("%d\n", strlen(root) > 0 && root != "<unknown>"); exit(0); }
