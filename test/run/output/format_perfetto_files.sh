#@ what:    -x format=perfetto with -x rotate writes several files that are each a complete trace, with nested calls as nested intervals
#@ needs:   uprobe protoc
$DTRACE -x format=perfetto -x rotate=300k,9 -o "$TMP/trace" -qn 'pid$target:a.out:down:entry { trace(arg0); } pid$target:a.out:down:return { trace(arg1); }' -c "$PROGS/two_stacks 500"
for file in "$TMP"/trace*; do
    protoc --decode=Trace --proto_path=. perfetto.proto <"$file" >"$TMP/text" || exit
    awk '/^packet/ { type = "" } /^  timestamp:/ { time = $2 } / uuid:/ { known[$2] = 1 } / track_uuid:/ { track = $2 } / type:/ { type = $2 }
        /^}/ && type != "" { unknown += !(track in known); if (type != "TYPE_INSTANT") print time, type; if (type == "TYPE_SLICE_BEGIN") ++intervals }
        END { print unknown + 0 " events of unknown tracks" >"/dev/stderr"; }' "$TMP/text" 2>>"$TMP/unknown" >>"$TMP/all"
done
ls "$TMP"/trace* | wc -l | awk '{ print ($1 > 2 ? "several files" : $1 " files") }'
sort -u "$TMP/unknown"
# Checks that intervals are nested: in time order, as readers process the packets, the interval that began last ends first.
sort -n "$TMP/all" | awk '$2 ~ /BEGIN/ { ++depth; ++intervals; if (depth > deepest) deepest = depth } $2 ~ /END/ { if (--depth < 0) ++wrong } END { print intervals, "intervals, at most", deepest, "deep,", depth, "left open,", wrong + 0, "wrong" }'
