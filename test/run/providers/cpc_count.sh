#@ what:    a cpc probe whose name ends in 10 or 50 fires once for every 10 or 50 events of a CPU
#@ needs:   profile
# The probes count the events of all processes on a CPU. The probe for 10 events fires five times as often as the probe
# for 50 events, apart from incomplete groups of events at the start and the end.
"$DTRACE" -qn 'int touching;
    syscall::getppid:entry /pid == $target/ { touching = !touching; }
    cpc:::page_faults-user-10 /touching/ { @tenths[cpu] = sum(1); @all = sum(1); @fiftieths[cpu] = sum(0); }
    cpc:::page_faults-user-50 /touching/ { @fiftieths[cpu] = sum(1); @tenths[cpu] = sum(0); }
    END { printa("%d %@d %@d\n", @tenths, @fiftieths); printa("%@d\n", @all); }' -c "$PROGS/touch_pages 1000" |
    awk 'NF == 3 { off = $2 - 5 * $3; if (off < -6 || off > 6) print "CPU", $1 ":", $2, "and", $3 } NF == 1 { print ($1 >= 90) }'
