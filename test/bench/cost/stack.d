/*@
 * what:  a count by stack of the kernel
 * total: sum
 */
syscall::getppid:entry { @[stack()] = count(); }
