// A client of the API, with types that are generated from its description. It reads the inbox at the address in the first
// argument with the token in the second, and prints one line for each conversation.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };

type Conversation = components["schemas"]["Conversation"];

const [, , baseUrl = "", token = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

function line(c: Conversation): string {
  const last = c.lastMessage;
  return [c.id, c.name ?? "", c.unreadCount, last?.direction ?? "", last?.status ?? "", last?.preview ?? ""].join(" | ");
}

let cursor: string | undefined;
do {
  const { data, error } = await client.GET("/v1/conversations", { params: { query: cursor ? { limit: 1, cursor } : { limit: 1 } } });
  if (error) throw new Error("status" in error ? `${error.status}: ${error.detail}` : JSON.stringify(error)); // ours, or the gateway's
  for (const conversation of data.items) console.log(line(conversation)); // never null
  cursor = data.cursor;
} while (cursor);

const first = await client.GET("/v1/outbox", { params: { query: { state: "dead_letter" } } });
for (const event of first.data?.items ?? []) {
  const why: string = event.failure ? `${event.failure.code}: ${event.failure.action}` : "";
  console.log(`${event.state} | ${why}`);
}
const { error } = await client.GET("/v1/messages/{messageId}", { params: { path: { messageId: "wamid.NONE" } } });
if (error && "status" in error) console.log(error.status);
