/*@
 * what:  a predicate on the name of the program that is false
 * total: sum
 * each:  0
 */
syscall::getppid:entry /execname == "nosuch"/ { @ = count(); }
