#@ what:    without kprobes, fbt:::return fails without printing how long attaching would take
#@ needs:   no-kprobe
"$DTRACE" -n 'fbt:::return' 2>&1 | awk '/attaching/ { told++ } /neither kprobes/ { failed++ } END { print told + 0, failed }'
