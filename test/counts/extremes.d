syscall::getppid:entry { @least = min(arg0); @most = max(arg0); }
