// The page around the program: a canvas, keys, the pointer, files, and settings that stay. Neighbour: page.cpp.
if (typeof document == 'object') {
    const canvas = document.getElementById('canvas'), live = document.getElementById('live');
    const part = id => document.getElementById(id);
    const bytes_of = text => Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
    const unpacked = async text =>
        new Uint8Array(await new Response(new Blob([bytes_of(text)]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
    const settings = '/settings/warptree/settings.toml', downloads = '/Downloads';
    const stored = text => { try { return text === undefined ? localStorage.warptree : localStorage.warptree = text; } catch { return ''; } };
    const tells = words => { part('words').textContent = words, part('words').hidden = !words; };

    let program = null, worker = null;
    const script = document.currentScript;
    const script_address = script.src || URL.createObjectURL(new Blob([script.textContent], {type: 'text/javascript'}));

    // One file holds the program, and what to open; else both lie beside the page.
    Module['instantiateWasm'] = (imports, done) => {
        (async () => {
            const inside = part('program');
            const bytes = inside ? await unpacked(inside.textContent) : await (await fetch('warptree.wasm')).arrayBuffer();
            const made = await WebAssembly.instantiate(bytes, imports);
            program = made.module;
            done(made.instance, program);
        })().catch(error => tells('Warptree could not start in this browser: ' + error.message));
        return {};
    };
    const opened = part('opened') && part('opened').textContent ? JSON.parse(part('opened').textContent) : {arguments: [], files: {}};
    const link = location.hash.length > 1 ? decodeURIComponent(location.hash.replace(/\+/g, ' ')) : '';
    Module['arguments'] = link ? [link] : opened.arguments;
    Module['printErr'] = text => { console.warn(text); if (!started) tells(text.replace(/^warptree: /, '')); };
    Module['preRun'] = (Module['preRun'] || []).concat(() => {
        for (const folder of ['/settings', '/settings/warptree', downloads, '/Opened', '/Recorded']) FS.mkdir(folder);
        ENV.XDG_CONFIG_HOME = '/settings', ENV.HOME = downloads;
        FS.chdir(downloads);
        if (stored()) FS.writeFile(settings, stored());
        for (const [path, text] of Object.entries(opened.files)) {
            FS.mkdirTree(path.replace(/\/[^/]*$/, ''));
            FS.writeFile(path, bytes_of(text));
        }
    });

    let started = false;
    Module.pasted = '';
    Module.copies = text => { navigator.clipboard && navigator.clipboard.writeText(text).catch(() => {}); };
    Module.keeps = path => stored(FS.readFile(path, {encoding: 'utf8'}));
    /// A recording beside the page: Module.recorded is null until it has ended, then why it failed, '' if it did not.
    Module.records = (command, file) => {
        Module.recorded = null, Module.hundredths = 0;
        worker = new Worker(script_address);
        worker.onerror = error => { Module.stops(); Module.recorded = 'The browser starts no worker to record in: ' + error.message; };
        worker.onmessage = ({data}) => {
            if (data.hundredths) return void (Module.hundredths = data.hundredths);
            Module.stops();
            if (data.file) FS.writeFile(file, data.file);
            Module.recorded = data.file ? '' : data.said.replace(/^warptree: /, '');
        };
        worker.postMessage({program, words: command.split('\n')});
    };
    Module.stops = () => { if (worker) worker.terminate(); worker = null; };
    /// What was saved goes to the browser's downloads.
    const download = () => {
        for (const name of FS.readdir(downloads)) {
            if (name.startsWith('.') || FS.isDir(FS.stat(downloads + '/' + name).mode)) continue;
            const link = document.createElement('a');
            link.href = URL.createObjectURL(new Blob([FS.readFile(downloads + '/' + name)]));
            link.download = name;
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 60000);
            FS.unlink(downloads + '/' + name);
        }
    };

    // Keys: what they are called, what is on them, and where they are
    const names = ['', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Tab', 'Enter', 'Backspace',
                   'Escape', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12'];
    const places = {Space: ' ', Minus: '-', Equal: '=', BracketLeft: '[', BracketRight: ']', Semicolon: ';', Quote: "'", Comma: ',',
                    Period: '.', Slash: '/', Backquote: '`', Backslash: '\\', NumpadAdd: '+', NumpadSubtract: '-'};
    const code_of = text => text ? text.toLowerCase().codePointAt(0) : 0;
    const place_of = code => code_of(places[code] || (/^(Key|Digit|Numpad)(.)$/.exec(code) || [])[2]);
    const modifiers = e => {
        const graph = e.getModifierState && e.getModifierState('AltGraph');
        const control = e.ctrlKey && !graph, command = e.metaKey && /^Mac|^iP/.test(navigator.platform);
        return (control || command ? 1 : 0) + (e.shiftKey ? 2 : 0) + ((e.altKey || graph) && !control ? 4 : 0) + (e.repeat ? 8 : 0);
    };
    const press = e => {
        const how = modifiers(e), made = [...e.key].length == 1 ? e.key : '', named = names.indexOf(e.key);
        const typed = made && !(how & 1) && e.key != 'Dead' ? made.codePointAt(0) : 0;
        return Module._page_key(named > 0 ? named : 0, code_of(made), place_of(e.code), typed, how);
    };
    const begin = () => {
        started = true;
        tells('');
        addEventListener('keydown', e => {
            if ((modifiers(e) & 1) && code_of(e.key) == 118) return;  // pasting is an event of its own
            if (press(e)) e.preventDefault();
        });
        addEventListener('paste', e => {
            Module.pasted = e.clipboardData.getData('text');
            Module._page_key(0, 118, 118, 0, 1);
            e.preventDefault();
        });
        const to_open = path => Module.ccall('page_open', null, ['string'], [path]);
        addEventListener('hashchange', () => to_open(decodeURIComponent(location.hash)));
        addEventListener('dragover', e => e.preventDefault());
        addEventListener('drop', async e => {
            e.preventDefault();
            const file = e.dataTransfer.files[0];
            if (!file) return;
            FS.writeFile('/Opened/' + file.name, new Uint8Array(await file.arrayBuffer()));
            to_open('/Opened/' + file.name);
        });
        document.addEventListener('fullscreenchange', () => Module._page_full_screen(document.fullscreenElement ? 1 : 0));

        // The pointer; a finger that wipes steps, two that spread zoom
        const kMove = 0, kPress = 1, kRelease = 2, kDouble = 3, kWheel = 4, kLeave = 5;
        const send = (kind, e, wheel = 0) => Module._page_pointer(kind, e.offsetX * devicePixelRatio, e.offsetY * devicePixelRatio, wheel, modifiers(e));
        const fingers = new Map();
        let last = {time: -1000, x: 0, y: 0}, wiped = null, apart = 0;
        const spread = () => { const [a, b] = fingers.values(); return Math.hypot(a.offsetX - b.offsetX, a.offsetY - b.offsetY); };
        canvas.addEventListener('pointermove', e => {
            if (!fingers.has(e.pointerId) || e.pointerType != 'touch') return send(kMove, e);
            fingers.set(e.pointerId, e);
            if (fingers.size == 1) return send(kMove, e);
            if (fingers.size > 2) return;
            const [a, b] = fingers.values(), now = spread(), notches = Math.log(now / apart) / Math.log(1.18);
            if (Math.abs(notches) < 0.25) return;
            apart = now;
            send(kWheel, {offsetX: (a.offsetX + b.offsetX) / 2, offsetY: (a.offsetY + b.offsetY) / 2}, notches);
        });
        canvas.addEventListener('pointerdown', e => {
            canvas.focus();
            if (e.button) return;
            canvas.setPointerCapture(e.pointerId);
            fingers.set(e.pointerId, e);
            if (fingers.size == 2) return send(kRelease, e), wiped = null, apart = spread();
            if (fingers.size > 2) return;
            const near = e.timeStamp - last.time < 350 && Math.hypot(e.offsetX - last.x, e.offsetY - last.y) < 6;
            last = {time: near ? -1000 : e.timeStamp, x: e.offsetX, y: e.offsetY};
            if (e.pointerType == 'touch') send(kMove, e);  // it comes from nowhere
            const used = send(near ? kDouble : kPress, e);
            wiped = e.pointerType == 'touch' && !used ? e : null;
        });
        const lift = e => {
            if (!fingers.delete(e.pointerId) || fingers.size) return;
            send(kRelease, e);
            if (e.pointerType == 'touch') send(kLeave, e);
            const far = wiped && e.timeStamp - wiped.timeStamp < 500 ? e.offsetX - wiped.offsetX : 0;
            if (Math.abs(far) > 60 && Math.abs(far) > 2 * Math.abs(e.offsetY - wiped.offsetY)) Module._page_key(far < 0 ? 1 : 2, 0, 0, 0, 0);
            wiped = null;
        };
        canvas.addEventListener('pointerup', lift);
        canvas.addEventListener('pointercancel', lift);
        canvas.addEventListener('pointerleave', e => { if (!e.buttons && e.pointerType != 'touch') send(kLeave, e); });
        canvas.addEventListener('wheel', e => {
            e.preventDefault();
            const notch = [100, 3, 1][e.deltaMode];
            if (e.deltaY) send(kWheel, e, Math.max(-3, Math.min(3, -e.deltaY / notch)));
        }, {passive: false});

        // Graphics that the browser takes away, as after a driver's reset
        let lost = false;
        canvas.addEventListener('webglcontextlost', e => {
            e.preventDefault();  // else they stay away
            lost = true;
            tells('The browser has taken the graphics away. They come back by themselves, or when the page is loaded again.');
        });
        canvas.addEventListener('webglcontextrestored', () => {
            lost = !Module._page_restored();
            if (!lost) tells('');
        });

        const cursors = ['default', 'pointer', 'col-resize', 'row-resize', 'none'];
        let full = false, pictures = 0;
        const frame = now => {
            requestAnimationFrame(frame);
            const width = Math.round(canvas.clientWidth * devicePixelRatio), height = Math.round(canvas.clientHeight * devicePixelRatio);
            if (!width || !height || lost) return;
            if (canvas.width != width) canvas.width = width;
            if (canvas.height != height) canvas.height = height;
            const drawn = Module._page_frame(now / 1000, width, height, devicePixelRatio);
            if (drawn < 0) return;
            if (!pictures++) performance.mark('first picture');
            canvas.style.cursor = cursors[drawn & 15];
            if (full != ((drawn & 16) != 0)) {
                full = !full;
                const asked = full && !document.fullscreenElement ? document.documentElement.requestFullscreen()
                            : !full && document.fullscreenElement ? document.exitFullscreen() : null;
                if (asked) asked.catch(() => Module._page_full_screen(0));
            }
            const said = UTF8ToString(Module._page_says());
            if (said) {
                Module.said = JSON.parse(said);
                const words = [Module.said.caption, Module.said.message].filter(Boolean).join(' ');
                if (live.textContent != words) live.textContent = words;
            }
            download();
        };
        requestAnimationFrame(frame);
    };
    Module['postRun'] = [() => { if (Module._page_frame && !Module.ended) begin(); }];
    Module['onExit'] = () => { Module.ended = true; };
} else if (typeof importScripts == 'function') {
    // A worker: one recording, of the page's program
    const out = '/recorded.wtrace', said = [];
    Module['arguments'] = [];
    Module['print'] = () => {};
    Module['printErr'] = text => said.push(text);
    Module.told = hundredths => postMessage({hundredths});
    Module['instantiateWasm'] = (imports, done) => {
        onmessage = ({data}) => {
            Module['arguments'].push(...data.words, '--out', out);
            WebAssembly.instantiate(data.program, imports).then(made => done(made, data.program));
        };
        return {};
    };
    Module['onExit'] = code => {
        const file = code ? null : FS.readFile(out);
        postMessage({file, said: said.join(' ')}, file ? [file.buffer] : []);
    };
}
