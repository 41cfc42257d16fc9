/*@
 * what:    quantize() of the sizes in write(2) calls shows the sizes that the program wrote
 * needs:   syscall
 * run:     -q -c '%progs%/write_sizes 1 16 16 4096'
 */
syscall::write:entry /pid == $target && arg0 == 3/ { @ = quantize(arg2); }
