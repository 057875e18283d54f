// Bundles card.ts, card.css and card.html into the one file that the Python package ships.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

const target = "../src/lorekeeper_mcp/cards/card.html";
const bundle = async (entry) =>
  (await build({ entryPoints: [entry], bundle: true, minify: true, write: false, target: "es2022", legalComments: "none" }))
    .outputFiles[0].text.trim();
const script = (await bundle("card.ts")).replaceAll("</script", "<\\/script");
const styles = await bundle("card.css");
const page = readFileSync("card.html", "utf8")
  .replace("<style></style>", () => `<style>${styles}</style>`)
  .replace("<script></script>", () => `<script>${script}</script>`);
writeFileSync(target, page);
console.log(`${target}: ${page.length} characters`);
