/*@
 * what:  a linear distribution
 * total: sum
 */
syscall::getppid:entry { @ = lquantize(arg2, 0, 1000, 100); }
