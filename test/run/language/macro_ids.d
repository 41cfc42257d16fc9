/*@
 * what:    macro variables give the tracer's own ids
 * needs:   root
 */
BEGIN { printf("%d%d%d%d%d\n", $pid == pid, $ppid == ppid, $uid == uid, $gid == gid, $euid == 0); exit(0); }
