#@ what:    each kind of loss is counted under its own drop reason and no other
#@ lost:    buffer full overwritten aggregation dynamic speculation speculation_id string_cut stack_cut fault error_clause
lost() {
    echo "$1: $(shift; taskset -c 0 $DTRACE -x format=jsonl -x drops "$@" 2>/dev/null |
        sed -n 's/^{"type":"losses","cause":"\([a-z_]*\)".*"count":\([1-9][0-9]*\),.*/\1 \2/p' | paste -sd,)"
}
# A record takes 8 bytes for a number, 16 for the text, and 8 for exit(), including the 4-byte id.
four='BEGIN { trace(1); } BEGIN { trace("a text"); } BEGIN { trace(2); } BEGIN { exit(0); }'
lost 'little room in a buffer' -b 16 -x strsize=8 -qn "$four"
lost 'a buffer that is filled' -b 16 -x strsize=8 -x bufpolicy=fill -qn "$four"
lost 'a buffer that goes round' -b 24 -x strsize=8 -x bufpolicy=ring -qn "$four"
lost 'no room for keys' -x aggsize=16 -qn 'BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); exit(0); }'
lost 'no room for elements' -x dynvarsize=16 -qn 'BEGIN { a[1] = 1; } BEGIN { a[2] = 1; } BEGIN { a[3] = 1; } BEGIN { exit(0); }'
lost 'no room for a speculation' -x specsize=24 -qn 'BEGIN { s = speculation(); } BEGIN { speculate(s); trace(1); } BEGIN { speculate(s); trace(2); }
    BEGIN { speculate(s); trace(3); } BEGIN { commit(s); } BEGIN { exit(0); }'
lost 'no speculation' -x nspec=1 -qn 'BEGIN { s = speculation(); t = speculation(); exit(0); }'
lost 'strings as long as they may be' -x strsize=8 -qn 'BEGIN { trace(strjoin("seven", "up")); trace(strjoin("at the ", "limit")); @[strjoin("as", " keys too")] = count(); exit(0); }'
lost 'stacks as deep as they may be' -x ustackframes=1 -qn 'BEGIN { ustack(); @[ustack()] = count(); exit(0); }'
lost 'stacks as deep as was asked for' -x ustackframes=1 -qn 'BEGIN { ustack(1); @[ustack(1)] = count(); exit(0); }'
lost 'a fault' -qn 'BEGIN { trace(*(int *)0); } BEGIN { exit(0); }'
lost 'a fault in ERROR' -qn 'ERROR { trace(*(int *)0); } BEGIN { trace(*(int *)0); } BEGIN { exit(0); }'
lost 'nothing' -qn "$four"
