#@ what:    jstack() prints the functions, files and first lines of a Node.js program as the program itself sees them
#@ needs:   syscall node x86-64
cat >"$TMP/nest.js" <<'END'
const fs = require('fs'), path = process.argv[2];
Error.stackTraceLimit = 100;
Error.prepareStackTrace = (error, sites) => sites;

// Writes the stack as the traced program itself sees it, without the functions of Node.js.
function show() {
    for (const site of new Error().stack.slice(1)) {
        if (site.isNative() || site.getFileName() === null)
            fs.appendFileSync(path, `${site.getFunctionName()} (builtin)\n`);
        else if (!site.getFileName().startsWith('node:')) {
            const name = site.getFunctionName() || '(anonymous)';
            fs.appendFileSync(path, `${name} (${site.getFileName()}:${first[name]})\n`);
        }
    }
}

function leaf() { fs.statSync('/dev/full'); show(); }

class Shop {
    sell(left) {
        return left ? this.sell(left - 1) :
            leaf();
    }
    static key(a, b) { new Shop().sell(1); return a - b; }
}

const arrow = () => {
    leaf();
};

function größe() { leaf(); }

function mapped() {
    [1].map(function each(x) {
        new Shop().sell(x);
    });
}

async function later() {
    leaf();
    await null;
    [2, 1].sort(Shop.key);
}

const first = {};
fs.readFileSync(__filename, 'utf8').split('\n').forEach((line, i) => {
    const found = line.match(/^ *(?:const |static |async |\[1\].map\(|)*(?:function )?([\wöß]+)(?: = \(|\()/);
    if (found && !(found[1] in first))
        first[found[1]] = i + 1;
});
first['(anonymous)'] = 1;

setImmediate(function fires() {
    leaf();
    new Shop().sell(20);
    arrow();
    größe();
    mapped();
    later();
});
first.fires = first.setImmediate;
END
node=$(node -p process.execPath)
$DTRACE -qn 'syscall::statx:entry /pid == $target && copyinstr(arg1) == "/dev/full"/ { jstack(100); }' \
    -c "$node $TMP/nest.js $TMP/truth" >"$TMP/out"
sed -n 's/^ *//; /^statSync/d; /(node:/d; /^[^`]*(.*)$/p; /^\[node/p' "$TMP/out" | diff - "$TMP/truth" && grep -c '^leaf (' "$TMP/truth"
