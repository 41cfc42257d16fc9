#@ what:    -x hits, -x cost and -x drops report the same number of hits for which -x maxcost did not run the clauses
#@ lost:    sampled_out
#@ needs:   syscall python3
# The load is that of maxcost_counts.sh: running clauses for a sample of the hits is enough to keep the limit. The limit
# is lower here, because the traced program storm may get only part of a CPU.
program='syscall::getsid:entry /pid == $target/ { @a[ustack()] = count(); @b[ustack()] = count(); @c[ustack()] = count(); @d[ustack()] = count(); @e[ustack()] = count(); @f[ustack()] = count(); @g[ustack()] = count(); @h[ustack()] = count(); }'
$DTRACE -x maxcost=0.02cpu -x hits -x cost -x drops -x format=jsonl -qn "$program" -c "$PROGS/storm 20000 1 120000 getsid" 2>/dev/null | python3 -c '
import json, sys
entries = [json.loads(line) for line in sys.stdin]
(firings,) = [e for e in entries if e["type"] == "hits"]
(cost,) = [e for e in entries if e["type"] == "cost" and e["of"] == "probe"]
(ledger,) = [e for e in entries if e["type"] == "losses" and e["cause"] == "sampled_out"]
(detached,) = [e for e in entries if e["type"] == "losses" and e["cause"] == "detached"]
print("sampled out:", firings["sampled_out"] > 0 or detached["count"] > 0, " all:", firings["fired"] == sum(firings[how] for how in ("filtered", "recorded", "lost", "sampled_out")))
print("cost:", cost["fired"] == firings["fired"], " ledger:", ledger["count"] == firings["sampled_out"])'
