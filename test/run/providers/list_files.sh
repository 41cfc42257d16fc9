#@ what:    list:::file fires exactly once for each of 1,000 open files, although two threads share the descriptors
#@ needs:   python3
mkdir $TMP/dir
cat >$TMP/work.py <<P
import os, resource, threading, time
resource.setrlimit(resource.RLIMIT_NOFILE, (2000, 2000))
for i in range(1000):
    os.lseek(os.open(f"$TMP/dir/{i}", os.O_RDWR | os.O_CREAT), i, os.SEEK_SET)
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
print("ready", flush=True)
input()
P
coproc WORK { exec python3 $TMP/work.py; }
pid=$WORK_PID
read -r <&${WORK[0]}
$DTRACE -qn 'list:::file /args[1]->pr_pid == $1/ { printf("%d %s %d\n", args[2], args[0]->fi_pathname, args[0]->fi_offset); }' -c true $pid |
    sed -n "s|[^ ]*$TMP/dir|dir|p" | sort >$TMP/listed # in a guest, the kernel's paths begin outside of the test's root
for file in /proc/$pid/fd/*; do
    path=$(readlink $file)
    [[ $path != $TMP/dir/* ]] || echo "${file##*/} dir/${path##*/} ${path##*/}"
done | sort >$TMP/there
diff $TMP/there $TMP/listed && wc -l <$TMP/listed
echo >&${WORK[1]}
wait $pid
