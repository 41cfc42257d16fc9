/*@
 * what:  a count by stack of the process
 * total: sum
 */
syscall::getppid:entry { @[ustack()] = count(); }
