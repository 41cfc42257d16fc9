/*@
 * what:    a program may declare its own variables with names of built-in variables that classic D does not have, such as container
 */
string container;
BEGIN { cgroup = 3; container = "mine"; nspid = 4; toupper = 5; }
BEGIN { printf("%d %s %d %d\n", cgroup, container, nspid, toupper); exit(0); }
