/*@
 * what:    fi_offset of fds[] is the file offset at the time of the probe
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/appends %tmp%/grows 2'
 */
syscall::write:entry /pid == $target && arg0 == 3/ { self->traced = 1; }
syscall::write:return /self->traced/ { printf("%s %d\n", fds[3].fi_name, fds[3].fi_offset); self->traced = 0; }
