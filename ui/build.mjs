// Bundles card.ts, card.css and card.html into the one file that the Python package ships. The script is stored
// deflated, by a library that gives the same bytes on every machine; card.html starts it.
import { build } from "esbuild";
import { zlibSync } from "fflate";
import { readFileSync, writeFileSync } from "node:fs";

const target = "../src/lorekeeper_mcp/cards/card.html";
// zod words its errors in fifty languages, of which none is shown.
const withoutLocales = {
  name: "without-locales",
  setup: (build) => build.onLoad({ filter: /zod.v4.locales.[\w-]+\.js$/ }, ({ path }) =>
    /\b(en|index)\.js$/.test(path) ? undefined : { contents: "export default () => ({})" }),
};
const bundle = async (entry) =>
  (await build({ entryPoints: [entry], bundle: true, minify: true, write: false, target: "es2022", legalComments: "none", plugins: [withoutLocales] }))
    .outputFiles[0];
const script = Buffer.from(zlibSync((await bundle("card.ts")).contents, { level: 9, mem: 12 })).toString("base64");
const styles = (await bundle("card.css")).text.trim();
const page = readFileSync("card.html", "utf8")
  .replace("<style></style>", () => `<style>${styles}</style>`)
  .replace('id="packed">', () => `id="packed">${script}`);
writeFileSync(target, page);
console.log(`${target}: ${page.length} characters`);
