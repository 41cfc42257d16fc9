/*@
 * what:    with -q, trace() prints numbers and strings without padding
 */
BEGIN { trace(1); trace("x"); trace((char)-1); trace((uint64_t)3); exit(0); }
