/*@
 * what:    names that older programs could not know may be the program's own
 */
string container;
BEGIN { cgroup = 3; container = "mine"; nspid = 4; toupper = 5; }
BEGIN { printf("%d %s %d %d\n", cgroup, container, nspid, toupper); exit(0); }
