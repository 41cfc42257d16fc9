/*@
 * what:    freopen() redirects later output to a file, and freopen("") restores the original output
 * run:     -qws %file% %tmp%
 */
BEGIN { printf("here\n"); freopen("%s/%s", $$1, "there"); printf("there\n"); }
BEGIN { freopen(""); printf("here again\n"); system("cat %s/there", $$1); exit(0); }
