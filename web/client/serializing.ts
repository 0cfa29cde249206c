/** Has `JSON.stringify` write messages as the API's own JSON: times as text, enums by name. */

import { type DescMessage, isMessage, type Message, toJson } from "@bufbuild/protobuf";

type Values = Readonly<Record<string, unknown>>;

/** The writers of messages, by type. */
const writers = new WeakMap<DescMessage, () => unknown>();

/**
 * Gives a message and all messages in it a `toJSON` that is not enumerable. Without it their times, which are of
 * `bigint`, cannot be written.
 */
export function serializable<T extends Message>(type: DescMessage, message: T): T {
  let writer = writers.get(type);
  if (!writer) {
    writer = function (this: unknown) {
      return toJson(type, this as Message);
    };
    writers.set(type, writer);
  }
  Object.defineProperty(message, "toJSON", { value: writer, configurable: true });
  const values = message as unknown as Values;
  for (const field of type.fields) {
    const inner = field.message;
    if (!inner) continue;
    const chosen = field.oneof && (values[field.oneof.localName] as { case?: string; value?: unknown });
    const value = chosen ? (chosen.case === field.localName ? chosen.value : undefined) : values[field.localName];
    if (value === undefined || value === null) continue;
    if (field.fieldKind === "list") (value as unknown[]).forEach((each) => nested(inner, each));
    else if (field.fieldKind === "map") Object.values(value).forEach((each) => nested(inner, each));
    else nested(inner, value);
  }
  return message;
}

/** The JSON-like messages and wrappers are plain values in the fields of others. */
function nested(type: DescMessage, value: unknown): void {
  if (isMessage(value, type)) serializable(type, value);
}
