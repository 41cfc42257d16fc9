#@ what:    profile stacks of g++ are mostly complete, and nearly all frames have names
#@ needs:   profile g++ host
#@ timeout: 120
printf '#include <map>\n#include <string>\nint main() { std::map<std::string, int> m; m["a"]++; return m.size() - 1; }\n' >"$TMP/in.cpp"
# The tracer reads the compiler's unwind table while the first compiler runs, so counting begins after the first complete stack.
echo "while g++ -O2 -c $TMP/in.cpp -o $TMP/in.o; do :; done" >"$TMP/in.sh"
$DTRACE -x format=folded -o "$TMP/out" -qn 'int met, n;
    profile-997 /progenyof($target) && !met && execname == "cc1plus"/ { met = ustackdepth >= 15; }
    profile-997 /progenyof($target) && met && arg1 != 0/ { @[ustack()] = count(); n++; }
    tick-100ms /n >= 1500/ { exit(0); }' -c "sh $TMP/in.sh"
awk '{ count = $NF; sub(/ [0-9]+$/, ""); frames = split($0, frame, ";"); samples += count; cut += count * ($0 ~ /\[incomplete\]/)
       for (i = 1; i <= frames; i++) { all += count; bare += count * (frame[i] ~ /^\[?0x/) } }
     END { print (samples > 1000 ? "samples" : samples " samples")
           print (bare * 50 < all ? "names" : bare " of " all " frames are bare addresses")
           print (cut * 2 < samples ? "whole" : cut " of " samples " stacks are incomplete") }' "$TMP/out"
grep -c '(tree_node\*' "$TMP/out" | awk '{ print ($1 > 0 ? "demangled" : "no name of C++") }'
