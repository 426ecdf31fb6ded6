// node auditing/research/anchoring/chain/compile.js [DIRECTORY OF node_modules] > auditing/research/anchoring/chain/Anchor.json
// Compiles Anchor.sol with npm's solc (pure JavaScript) into ABI, bytecode and the version that made them.
const fs = require("node:fs");
const path = require("node:path");

const solc = require(require.resolve("solc", { paths: [process.argv[2] || process.cwd()] }));
const source = fs.readFileSync(path.join(__dirname, "Anchor.sol"), "utf8");
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: "paris",
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};
const found = JSON.parse(
  solc.compile(JSON.stringify({ language: "Solidity", sources: { "Anchor.sol": { content: source } }, settings })),
);
const errors = (found.errors || []).filter((error) => error.severity === "error");
if (errors.length) {
  for (const error of errors) process.stderr.write(error.formattedMessage + "\n");
  process.exit(1);
}
const made = found.contracts["Anchor.sol"].Anchor;
const kept = { solc: solc.version(), settings: { optimizer: settings.optimizer, evmVersion: settings.evmVersion }, abi: made.abi, bytecode: made.evm.bytecode.object };
process.stdout.write(JSON.stringify(kept, null, 1) + "\n");
