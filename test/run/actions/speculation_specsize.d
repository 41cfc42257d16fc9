/*@
 * what:    speculative samples that exceed the size in option specsize are dropped and counted
 * run:     -x specsize=48 -qs %file%
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace((long)1); }
BEGIN { speculate(s); trace((long)2); }
BEGIN { speculate(s); trace((long)3); }
BEGIN { commit(s); }
BEGIN { exit(0); }
