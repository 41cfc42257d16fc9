#@ what:    chip and cpu_chip give the CPU's package number as the kernel reports it
#@ needs:   syscall
for cpu in 0 $(($(nproc) - 1)); do
    package=$(cat /sys/devices/system/cpu/cpu$cpu/topology/physical_package_id)
    $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { printf("%d %d\n", curcpu->cpu_id == $1, chip == $2 && curcpu->cpu_chip == $2); }' \
        $cpu $package -c "taskset -c $cpu $PROGS/syscalls getppid 1" | grep .
done
