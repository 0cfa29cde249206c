/**
 * What an army is made of, from the JSON schema and the catalog that the service gives: it knows no
 * game. What is called as a kind of entries is one of them; in a list it is called so in the plural.
 */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ContentEntry } from "../client/index.ts";

interface Schema {
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** One thing to be chosen: an entry of the kind, or free text for none. */
export interface Part {
  name: string;
  kind: string | undefined;
  required: boolean;
  about: string;
}

/** Things of which an army has many: their ids, or with parts of their own beside the id. */
export interface Ranks {
  name: string;
  kind: string;
  /** The field that has the id of the entry; undefined if each is nothing but its id. */
  key: string | undefined;
  parts: readonly Part[];
}

export interface ArmyPlan {
  parts: readonly Part[];
  ranks: readonly Ranks[];
}

export function planOf(schema: JsonObject, entries: readonly ContentEntry[]): ArmyPlan {
  const root = schema as Schema;
  const kinds = new Set(entries.map(({ kind }) => kind));
  const { properties, required = [] } = resolved(root, root);
  const parts: Part[] = [];
  const ranks: Ranks[] = [];
  for (const [name, each] of Object.entries(properties ?? {})) {
    const property = { ...resolved(each, root), ...each };
    const items = property.items && resolved(property.items, root);
    if (items) ranks.push(ranksOf(name, items, kinds));
    else parts.push(part(name, property, kinds, required));
  }
  // A schema has its properties in any order: what carries others comes first.
  const order = (each: Ranks): string => `${each.key === undefined} ${each.name}`;
  ranks.sort((one, other) => order(one).localeCompare(order(other)));
  return { parts, ranks };
}

function part(name: string, schema: Schema, kinds: ReadonlySet<string>, required: string[]): Part {
  const kind = kinds.has(name) ? name : undefined;
  return { name, kind, required: required.includes(name), about: schema.description ?? "" };
}

function ranksOf(name: string, items: Schema, kinds: ReadonlySet<string>): Ranks {
  const kind = [...kinds].find((each) => name === each || name === `${each}s`) ?? name;
  const { properties, required = [] } = items;
  const [key] = required;
  const others = Object.entries(properties ?? {}).filter(([each]) => each !== key);
  const parts = others
    .map(([each, schema]) => part(each, schema, kinds, required))
    .sort((one, other) => rank(one).localeCompare(rank(other)));
  return { name, kind, key: properties && key, parts };
}

/** What a schema refers to, or itself. */
function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name && root.$defs?.[name]) || schema;
}

/** What is chosen from the content comes first. */
function rank({ kind, name }: Part): string {
  return `${kind === undefined} ${name}`;
}

/** An army with nothing in it but what it must have. */
export function emptyArmy(plan: ArmyPlan, entries: readonly ContentEntry[]): JsonObject {
  const army: JsonObject = {};
  for (const { name, kind, required } of plan.parts) {
    if (required) army[name] = entries.find((each) => each.kind === kind)?.id ?? "";
  }
  for (const { name } of plan.ranks) army[name] = [];
  return army;
}

/** What stands in these ranks. */
export function members(army: JsonObject, ranks: Ranks): JsonValue[] {
  const found = army[ranks.name];
  return Array.isArray(found) ? found : [];
}

/** By which entry of the catalog a member goes. */
export function idOf(member: JsonValue, { key }: Ranks): string {
  if (key === undefined) return String(member);
  return String((member as JsonObject)[key] ?? "");
}

/** The army with another member. */
export function added(army: JsonObject, ranks: Ranks, id: string): JsonObject {
  const member = ranks.key === undefined ? id : { [ranks.key]: id };
  return { ...army, [ranks.name]: [...members(army, ranks), member] };
}

/** The army without a member. */
export function removed(army: JsonObject, ranks: Ranks, index: number): JsonObject {
  return { ...army, [ranks.name]: members(army, ranks).filter((_, each) => each !== index) };
}

/** The army with a part of a member chosen; empty for none. */
export function fitted(
  army: JsonObject,
  ranks: Ranks,
  index: number,
  name: string,
  value: string,
): JsonObject {
  const changed = members(army, ranks).map((member, each) => {
    if (each !== index) return member;
    const { [name]: _, ...others } = member as JsonObject;
    return value ? { ...others, [name]: value } : others;
  });
  return { ...army, [ranks.name]: changed };
}
