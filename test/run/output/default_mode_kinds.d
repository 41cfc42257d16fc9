/*@
 * what:    without -q, trace() pads each type to its own column width
 * run:     -s %file%
 */
BEGIN { trace((int8_t)-3); trace((uint8_t)200); trace((short)-4); trace((ushort_t)5); trace(-6); trace(7u); trace(-8ll); trace((uint64_t)9); trace("s"); exit(0); }
