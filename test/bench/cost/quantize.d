/*@
 * what:  a distribution by powers of two
 * total: sum
 */
syscall::getppid:entry { @ = quantize(arg2); }
