/*@
 * what:    a kernel enumerator can be an operand of a comparison
 */
BEGIN { printf("%d %d\n", (enum pid_type)0 == PIDTYPE_PID, (enum pid_type)1 == PIDTYPE_PID); exit(0); }
