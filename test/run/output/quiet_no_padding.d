/*@
 * what:    quiet: bare numbers and strings
 */
BEGIN { trace(1); trace("x"); trace((char)-1); trace((uint64_t)3); exit(0); }
