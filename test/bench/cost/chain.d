/*@
 * what:  four links through structures of the kernel
 * total: sum
 */
syscall::getppid:entry /curthread->group_leader->real_parent->signal->nr_threads > 0/ { @ = count(); }
