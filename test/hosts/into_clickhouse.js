// node into_clickhouse.js FOLDER FORMAT: creates the tables of schema.sql, loads trace.FORMAT as its comments describe, and prints sums.
const { execSync } = require('child_process');
const { readFileSync } = require('fs');
const [, , folder, format] = process.argv;
const { Session } = require(`${folder}/node_modules/chdb`);

const session = new Session(`${process.cwd()}/db-${format}`);
const ask = (question) => session.query(question, 'CSV');
ask('CREATE DATABASE d');
ask('USE d');
const lines = readFileSync('schema.sql', 'utf8').split('\n');
for (const line of lines)
    if (line && !line.startsWith('--'))
        ask(line.replace(/;$/, ''));
if (format === 'jsonl')
    ask(`INSERT INTO dtrace_lines SELECT line FROM file('${process.cwd()}/trace.jsonl', 'LineAsString', 'line String')`);
for (const line of lines) {
    const command = line.match(/^-- (grep .*) \| clickhouse-client -q '(INSERT INTO .*) FORMAT CSV'/);
    if (!command)
        continue;
    execSync(`${command[1]} >rows.csv`);
    ask(`${command[2]} FROM INFILE '${process.cwd()}/rows.csv' FORMAT CSV`);
}
const bound = format === 'csv' ? 'low' : 'bucket';
for (const question of [
    `SELECT count(), sum(value2), countIf(value3 = 'a"b'), sum(value4), sum(bitShiftRight(value5, 40)) FROM clause0`,
    'SELECT key1, key2, sum FROM "@s" ORDER BY key2',
    'SELECT sum(count) FROM "@q"',
    `SELECT key1, ${bound}, count FROM "@b" WHERE toString(${bound}) LIKE '%30000' ORDER BY key1`,
    'SELECT min FROM "@m"',
])
    process.stdout.write(ask(question));
session.cleanup();
