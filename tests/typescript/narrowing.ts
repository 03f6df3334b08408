// Compiles only where a union narrows on its tag, and where a forgotten variant is an error.

import type { AnyMessage, ChatMessage, ChatRequest, Event, Message, Part, ToolChoice } from "interlingua-types/v3";

function assertNever(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

export function words(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return part.detail ?? "image";
    case "audio":
      return part.transcript ?? "audio";
    case "file":
      return part.title ?? part.name ?? "file";
    case "server_call":
      return part.code ?? "code";
    case "server_result":
      return typeof part.content === "string" ? part.content : "output";
    case "opaque":
      return part.dialect;
    default:
      return assertNever(part);
  }
}

export function forgetsAVariant(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
    case "file":
      return part.type;
    default:
      // @ts-expect-error `opaque` is not handled, so the value is no `never`.
      return assertNever(part);
  }
}

export function speaker(message: ChatMessage): string {
  switch (message.role) {
    case "system":
    case "developer":
    case "user":
      return message.name ?? message.role;
    case "assistant":
      return (message.tool_calls ?? []).map((call) => call.name).join();
    case "tool":
      return message.call_id ?? "tool";
    case "opaque":
      return message.dialect;
    default:
      return assertNever(message);
  }
}

export function chosen(choice: ToolChoice): string {
  switch (choice.mode) {
    case "auto":
    case "none":
    case "required":
      return choice.mode;
    case "named":
      return choice.name;
    case "subset":
      return choice.names.join();
    default:
      return assertNever(choice);
  }
}

export function text(events: readonly Event[]): string {
  return events.map((event) => (event.type === "content" ? event.text : "")).join("");
}

export function stored(message: Message): string {
  if (message.type === "tool_request") {
    return message.data.calls.map((requested) => requested.approval.status).join();
  }
  // @ts-expect-error Only a tool request has calls.
  return message.data.calls;
}

export function kept(message: AnyMessage): string {
  // What is unknown is kept: its tag may be any word, so that it cannot be narrowed away.
  return message.type ?? "no tag";
}

export const request: ChatRequest = {
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
  temperature: 0,
};

export const withAnUnknownMember: ChatRequest = {
  messages: [],
  // @ts-expect-error The version is closed.
  unheard_of: "auto",
};

// @ts-expect-error A tag decides which members are allowed.
export const mixed: Part = { type: "text", url: "https://example.com/a.png" };
