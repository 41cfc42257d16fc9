#@ what:    sdt:::interrupt-start and interrupt-complete fire as often as the kernel's interrupt tracepoints, with the interrupt's source
#@ needs:   syscall
$DTRACE -qn '
rawtp:irq::irq_handler_entry { @raw["start"] = count(); } rawtp:irq::irq_handler_exit { @raw["complete"] = count(); }
sdt:::interrupt-start { @named["start"] = count(); @irqs[args[2], stringof(args[0]->name)] = count(); }
sdt:::interrupt-complete { @named["complete"] = count(); }
sdt:::interrupt-complete /args[4] != 0 && args[4] != 1 && args[4] != 2/ { @wrong["result"] = count(); }
sdt:::interrupt-start, sdt:::interrupt-complete /args[1] != (uintptr_t)args[0]->handler || args[3] != args[0]->dev_id || args[2] != args[0]->irq/ { @wrong["data"] = count(); }
END { printa("%s %@d %@d\n", @raw, @named); printa("wrong %s %@d\n", @wrong); printa("irq %d %s\n", @irqs); }' \
    -c "dd if=/dev/zero of=$TMP/file bs=512 count=50 oflag=dsync status=none" >$TMP/out
awk 'NF == 3 && !/^irq|^wrong/ { counted++; if ($2 == 0 || ($2 - $3) ^ 2 > 9) print } /^wrong/ { print } END { print counted }' $TMP/out
# /proc/interrupts lists number and device of each interrupt: "31: 12 0 PCI-MSI 32-edge virtio1-req.0".
# (It lists interrupts between arm64 processors without their numbers.)
awk '/^irq/ && $3 != "IPI"' $TMP/out | while read -r _ number name; do grep -E "^ *$number:" /proc/interrupts | grep -qF -- "$name" || echo "irq $number is not $name"; done
