// The TypeScript SDK 1.x, over stdio: node ts_sdk.mjs COMMAND
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { look } from "./look.mjs";

const client = new Client({ name: "check", version: "1" });
await client.connect(new StdioClientTransport({ command: process.argv[2], args: [] }));
await look(client);
console.log("OK");
await client.close();
