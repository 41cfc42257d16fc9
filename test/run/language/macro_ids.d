/*@
 * what:    $pid, $ppid, $uid, $gid and $euid are those of the tracer
 * needs:   root
 */
BEGIN { printf("%d%d%d%d%d\n", $pid == pid, $ppid == ppid, $uid == uid, $gid == gid, $euid == 0); exit(0); }
