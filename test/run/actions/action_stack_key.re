^ {14}vmlinux`[^ ]+$
^ {14}vmlinux`[^ ]+$
^ +5$
^ +5$