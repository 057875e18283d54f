// The TypeScript SDK 2.x, over stdio: node ts_client.mjs COMMAND [auto]; "auto" speaks the current era
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { look } from "./look.mjs";

const options = process.argv[3] === "auto" ? { versionNegotiation: { mode: "auto" } } : {};
const client = new Client({ name: "check", version: "1" }, options);
await client.connect(new StdioClientTransport({ command: process.argv[2], args: [] }));
await look(client);
console.log("OK", client.getNegotiatedProtocolVersion());
await client.close();
