#@ what:    -x schema prints column types and JSON paths for the records of each clause, but not of clauses that record data inside an if
#@ status:  1
show() { $DTRACE -qe -x schema="$1" -x format="$2" -n 'BEGIN { trace((char)1); printf("text"); printf("%d %s", (unsigned short)1, "a"); stack(); tracemem(curthread, 8); @q["k"] = quantize(1); }
    END { if (1) { trace(1); } }'; }
show clickhouse csv
show duckdb csv | grep CREATE
show sqlite jsonl
show parquet jsonl | grep -v '^CREATE\|^INSERT'
show clickhouse jsonl | grep VIEW
$DTRACE -e -x schema=oracle -n BEGIN 2>&1
