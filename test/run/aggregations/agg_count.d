/*@
 * what:    count() counts how often its clause ran
 */
BEGIN { @ = count(); }
BEGIN { @ = count(); @ = count(); exit(0); }
