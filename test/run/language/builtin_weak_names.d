/*@
 * what:    a program may declare its own variables with names such as container that are newer than classic D
 */
string container;
BEGIN { cgroup = 3; container = "mine"; nspid = 4; toupper = 5; }
BEGIN { printf("%d %s %d %d\n", cgroup, container, nspid, toupper); exit(0); }
