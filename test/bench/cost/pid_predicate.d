/*@
 * what:  a predicate on the process that is false
 * total: sum
 * each:  0
 */
syscall::getppid:entry /pid == 1/ { @ = count(); }
