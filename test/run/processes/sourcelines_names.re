 +inlined`outer \(.*inlined\.c:1[89]\) *$
 +inlined`outer \(.*inlined\.c:1[89]\) +1$
