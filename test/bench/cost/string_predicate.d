/*@
 * what:  a predicate on a string of the process that is true
 * total: sum
 * promises: to tell of a text that cannot be read
 */
syscall::getppid:entry /copyinstr(arg1) == "/usr/share/zoneinfo/Europe/Berlin"/ { @ = count(); }
