/*@
 * what:    ftruncate() empties the output file
 * run:     -qws %file% %tmp%/file
 */
BEGIN { freopen("%s", $$1); printf("lost\n"); ftruncate(); printf("kept\n"); freopen(""); system("cat %s", $$1); exit(0); }
