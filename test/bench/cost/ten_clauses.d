/*@
 * what:  ten clauses on one probe
 * total: sum
 * each:  10
 */
syscall::getppid:entry /arg0 != 1/ { @a = count(); }
syscall::getppid:entry /arg0 != 2/ { @b = count(); }
syscall::getppid:entry /arg0 != 3/ { @c = count(); }
syscall::getppid:entry /arg0 != 4/ { @d = count(); }
syscall::getppid:entry /arg0 != 5/ { @e = count(); }
syscall::getppid:entry /arg0 != 6/ { @f = count(); }
syscall::getppid:entry /arg0 != 7/ { @g = count(); }
syscall::getppid:entry /arg0 != 8/ { @h = count(); }
syscall::getppid:entry /arg0 != 9/ { @i = count(); }
syscall::getppid:entry /arg0 != 10/ { @j = count(); }
