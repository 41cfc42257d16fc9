/*@
 * what:    %% prints a percent sign and takes no argument
 */
BEGIN { printf("100%%, %d%%\n", 7); exit(0); }
