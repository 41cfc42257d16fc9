#@ what:    fbt: where the kernel has no kprobes, nobody is told how long attaching takes before it fails
#@ needs:   no-kprobe
"$DTRACE" -n 'fbt:::return' 2>&1 | awk '/attaching/ { told++ } /no kprobes/ { failed++ } END { print told + 0, failed }'
