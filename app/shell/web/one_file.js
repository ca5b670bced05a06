// The web edition as one page: node one_file.js index.html warptree.js warptree.wasm OUT
const fs = require('fs'), zlib = require('zlib');
const [page, script, program, out] = process.argv.slice(2).map((name, i) => i == 3 ? name : fs.readFileSync(name));
const inside = `<script type="application/gzip" id="program">${zlib.gzipSync(program, {level: 9}).toString('base64')}</script>
<script type="application/json" id="opened"></script><!-- opened -->
<script>${script}</script>`;
const whole = page.toString().replace(/connect-src 'self'/, "connect-src 'none'").replace('<script src="warptree.js"></script>', () => inside);
fs.writeFileSync(out, whole);
