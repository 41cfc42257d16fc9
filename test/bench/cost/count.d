/*@
 * what:  a count
 * total: sum
 */
syscall::getppid:entry { @ = count(); }
