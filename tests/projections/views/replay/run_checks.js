// Reads cases as lines of JSON, checks each, and writes what was found as a line of JSON.
const { createInterface } = require("node:readline");

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { file, shown, proof } = JSON.parse(line);
    const raw = await proofs.unpacked(file);
    const checks = await proofs.checkMatch({ raw, shown, proof });
    process.stdout.write(`${JSON.stringify(checks)}\n`);
  }
}
main();
