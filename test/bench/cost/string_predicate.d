/*@
 * what:  a predicate on a string of the process that is true
 * total: sum
 */
syscall::getppid:entry /copyinstr(arg1) == "/usr/share/zoneinfo/Europe/Berlin"/ { @ = count(); }
