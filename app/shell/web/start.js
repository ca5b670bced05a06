// Before the program starts: in Node.js it sees the system's files, and where it was called.
if (typeof process == 'object') Module['wasmBinary'] = require('fs').readFileSync(__dirname + '/warptree.wasm');
Module['preRun'] = Module['preRun'] || [];
Module['preRun'].push(function() {
    if (!ENVIRONMENT_IS_NODE) return;
    const host = require('fs');
    for (const name of host.readdirSync('/')) {
        if (['dev', 'proc', 'sys'].includes(name) || !host.statSync('/' + name).isDirectory()) continue;
        if (!FS.analyzePath('/' + name).exists) FS.mkdir('/' + name);
        FS.mount(NODEFS, {root: '/' + name}, '/' + name);
    }
    FS.chdir(process.cwd());
    Object.assign(ENV, process.env);
});
