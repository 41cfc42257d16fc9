/*@
 * what:  a count by name of the program
 * total: sum
 */
syscall::getppid:entry { @[execname] = count(); }
