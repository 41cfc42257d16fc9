/*@
 * what:    avg() rounds the average toward zero
 */
BEGIN { @a = avg(-7); @a = avg(0); @b = avg(7); @b = avg(0); exit(0); }
