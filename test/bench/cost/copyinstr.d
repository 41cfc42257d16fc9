/*@
 * what:  a count by a string of the process
 * total: sum
 */
syscall::getppid:entry { @[copyinstr(arg1)] = count(); }
