/*@
 * what:    count() counts executions
 */
BEGIN { @ = count(); }
BEGIN { @ = count(); @ = count(); exit(0); }
