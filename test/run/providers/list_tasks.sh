#@ what:    list:::task fires exactly once for each thread that /proc contains, with its process
#@ needs:   python3
cat >$TMP/work.py <<P
import subprocess, threading, time
children = [subprocess.Popen(["sleep", "1000"]) for _ in range(100)]
for _ in range(100):
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
print("ready", flush=True)
input()
for child in children:
    child.kill()
P
coproc WORK { exec python3 $TMP/work.py; }
pid=$WORK_PID
read -r <&${WORK[0]}
$DTRACE -qn 'list:::task /args[1]->pr_pid == $1 || args[1]->pr_ppid == $1/ { printf("%d %d %s\n", args[1]->pr_pid, args[0]->pr_lwpid, args[0]->pr_name); }' \
    -c true $pid | sort >$TMP/listed
for process in $pid $(cat /proc/$pid/task/*/children); do
    for thread in /proc/$process/task/*; do
        echo "$process ${thread##*/} $(cat $thread/comm)"
    done
done | sort >$TMP/there
sed -i '/^$/d' $TMP/listed
diff $TMP/there $TMP/listed && wc -l <$TMP/listed
echo >&${WORK[1]}
wait $pid
