/*@
 * what:    copyinstr() returns its third argument only if the address cannot be read
 * run:     -qs %file% -c %progs%/open_files\ /dev/null
 */
#pragma D option strsize=128
BEGIN { printf("[%s]\n", copyinstr(8, 4, "not readable")); }
BEGIN { printf("[%s] [%s]\n", copyinstr(0, 64, strjoin("no", "ne")), copyinstr(8, 0, "none")); }
BEGIN { @[copyinstr(8, 64, "key")] = count(); @[copyinstr(16, 64, "key")] = count(); }
BEGIN { printf("%d\n", strlen(copyinstr(8, 64, "0123456789012345678901234567890123456789012345678901234567890123456789"))); }
BEGIN { n = 5; printf("%d\n", copyinstr(8, n, "a") == "a"); }
syscall::openat:entry /pid == $target/ { self->path = arg1; }
syscall::openat:return /pid == $target && copyinstr(self->path, 64, "none") == "/dev/null"/ { printf("[%s]\n", copyinstr(self->path, 9, "none")); }
END { printa("%s %@d\n", @); }
