/*@
 * what:  a count by a string of the process
 * total: sum
 * promises: texts of up to 256 characters, and to tell of one that cannot be read
 */
syscall::getppid:entry { @[copyinstr(arg1)] = count(); }
