#@ what:    an expression with a chain of five kernel pointers compiles to five memory reads
#@ needs:   syscall
"$DTRACE" -S -xdisasm=2 -en 'syscall::getppid:entry { trace(stringof(curthread->mm->exe_file->f_path.dentry->d_name.name)); }' 2>&1 |
    grep -c 'call bpf_probe_read'
