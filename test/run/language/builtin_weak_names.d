/*@
 * what:    a program may define names that later D versions made built-in variables
 */
string container;
BEGIN { cgroup = 3; container = "mine"; nspid = 4; toupper = 5; }
BEGIN { printf("%d %s %d %d\n", cgroup, container, nspid, toupper); exit(0); }
