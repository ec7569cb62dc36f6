// `npm run schema`: writes the JSON Schemas and the reference part of docs/protocol.md from the contract.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { protocolPage } from "./protocol-page.mjs";
import { root, setup } from "./setup.mjs";

await setup();
const contract = await import(join(root, "dist", "contract.js"));
for (const name of contract.publishedSchemaNames) {
  const text = `${JSON.stringify(contract.publishedSchema(name), null, 2)}\n`;
  writeFileSync(join(root, "schema", `${name}.schema.json`), text);
}
const page = join(root, "docs", "protocol.md");
writeFileSync(page, protocolPage(readFileSync(page, "utf8"), contract));
