^ {14}frames`inner\+0x[0-9a-f]+$
^ {14}(vmlinux|bpf)`[^ ]+$
^ +1$
^ {14}frames`inner\+0x[0-9a-f]+$
^ +2$
