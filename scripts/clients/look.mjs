// What every TypeScript client does: list, call, be refused with a sentence, call again.
import assert from "node:assert/strict";

export async function look(client) {
  const { tools } = await client.listTools();
  assert.ok(tools.length >= 7 && tools.every((tool) => tool.annotations.readOnlyHint));
  const call = (name, args) => client.callTool({ name, arguments: args });
  const found = await call("search_spell", { search: "Fireball", limit: 1 });
  assert.equal(found.structuredContent.results[0].name, "Fireball");
  assert.match(found.content[0].text, /8d6/);
  const refused = await call("search_spell", { level: 99 });
  assert.ok(refused.isError && refused.content[0].text.length <= 600);
  const again = await Promise.all(["Goblin", "Lich", "Ogre"].map((name) => call("search_creature", { search: name })));
  assert.deepEqual(again.map((one) => one.structuredContent.results[0].name), ["Goblin", "Lich", "Ogre"]);
}
