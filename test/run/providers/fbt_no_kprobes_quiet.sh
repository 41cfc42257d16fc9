#@ what:    without kprobes, fbt prints no attach-time estimate before it fails
#@ needs:   no-kprobe
"$DTRACE" -n 'fbt:::return' 2>&1 | awk '/attaching/ { told++ } /neither kprobes/ { failed++ } END { print told + 0, failed }'
