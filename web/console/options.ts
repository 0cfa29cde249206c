/**
 * A form for values that a JSON schema of the service describes: the options of any game, or what an
 * army is built for. All that is wrong with it is told at once, beside its fields.
 */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { html, nothing, type TemplateResult } from "lit";
import type { ContentEntry } from "../client/index.ts";

export interface Schema {
  type?: string;
  title?: string;
  enum?: JsonValue[];
  anyOf?: Schema[];
  default?: JsonValue;
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** An option with what its control needs. */
export interface Option {
  name: string;
  about: string;
  standard: JsonValue;
  control:
    | { kind: "check" }
    | { kind: "choice"; values: JsonValue[] }
    | { kind: "entry"; entries: readonly ContentEntry[] }
    | { kind: "number"; least: number; most: number }
    | { kind: "text"; pattern: string | undefined; most: number | undefined }
    | { kind: "json" };
}

/** What is wrong, by the name of the option. */
export type Faults = Readonly<Record<string, string>>;

const ORDER = ["entry", "choice", "number", "check", "text", "json"];

/**
 * The options of a schema, those that are easiest to choose first. An option that is called as a
 * kind of entries in the catalog is one of these.
 */
export function optionsOf(schema: JsonObject, catalog: readonly ContentEntry[] = []): Option[] {
  const root = schema as Schema;
  const whole = resolved(root, root);
  const found = Object.entries(whole.properties ?? {}).map(([name, each]): Option => {
    const property = { ...resolved(each, root), ...each };
    const entries = catalog.filter(({ kind }) => kind === name);
    return {
      name,
      about: property.description ?? "",
      standard: property.default ?? null,
      control: entries.length ? { kind: "entry", entries } : controlOf(property),
    };
  });
  const rank = ({ control, name }: Option): string => `${ORDER.indexOf(control.kind)} ${name}`;
  return found.sort((a, b) => rank(a).localeCompare(rank(b)));
}

/** The name of the option that holds an army of this schema for each seat; undefined if none does. */
export function armiesOption(schema: JsonObject, army: JsonObject | undefined): string | undefined {
  const title = army && resolved(army as Schema, army as Schema).title;
  const root = schema as Schema;
  const properties = Object.entries(resolved(root, root).properties ?? {});
  return properties.find(([, { additionalProperties: each }]) => {
    return title !== undefined && typeof each === "object" && resolved(each, root).title === title;
  })?.[0];
}

/** What a schema refers to, or itself. */
export function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name && root.$defs?.[name]) || schema;
}

function controlOf(schema: Schema): Option["control"] {
  const choices = schema.enum ?? schema.anyOf?.find((each) => each.enum)?.enum;
  if (choices) {
    const open = schema.anyOf?.some(({ type }) => type === "null") ? [null] : [];
    return { kind: "choice", values: [...open, ...choices] };
  }
  switch (schema.type) {
    case "boolean":
      return { kind: "check" };
    case "integer":
    case "number":
      return { kind: "number", least: schema.minimum ?? 0, most: schema.maximum ?? 1e9 };
    case "string":
      return { kind: "text", pattern: schema.pattern, most: schema.maxLength };
    default:
      return { kind: "json" };
  }
}

/** The field of an option: its control, what it means, and what is wrong with it. */
export function field(option: Option, fault = "", preset?: string): TemplateResult {
  const { name, about, control } = option;
  const id = `option-${name}`;
  const bounds = control.kind === "number" ? `${control.least} to ${control.most}` : "";
  return html`<div class="field ${control.kind === "check" ? "checked" : ""}">
    <label for=${id}>${words(name)}</label>
    ${controlFor(option, id, Boolean(fault), preset)}
    <p class="note" id="${id}-about">${[about, bounds].filter(Boolean).join(": ")}</p>
    ${faultLine(id, fault)}
  </div>`;
}

/** What is wrong with a field, below it. */
export function faultLine(id: string, fault: string): TemplateResult | typeof nothing {
  return fault ? html`<p class="trouble fault" id="${id}-fault">${fault}</p>` : nothing;
}

function controlFor(option: Option, id: string, wrong: boolean, preset?: string): TemplateResult {
  const { name, control, standard } = option;
  const about = wrong ? `${id}-fault ${id}-about` : `${id}-about`;
  const invalid = wrong ? "true" : nothing;
  switch (control.kind) {
    case "check":
      return html`<input id=${id} name=${name} type="checkbox" aria-describedby=${about}
        aria-invalid=${invalid} ?checked=${standard === true} />`;
    case "choice":
      return html`<select id=${id} name=${name} aria-describedby=${about} aria-invalid=${invalid}>
        ${control.values.map(
          (value) => html`<option value=${JSON.stringify(value)} ?selected=${value === standard}>
            ${value === null ? "As is usual" : words(String(value))}
          </option>`,
        )}
      </select>`;
    case "entry": {
      const chosen = preset || standard;
      const known = control.entries.some((each) => each.id === standard);
      return html`<select id=${id} name=${name} aria-describedby=${about} aria-invalid=${invalid}>
        ${known ? nothing : html`<option value=${JSON.stringify(standard)}>None</option>`}
        ${control.entries.map(
          (each) => html`<option value=${JSON.stringify(each.id)} ?selected=${each.id === chosen}>
            ${each.name}${each.description ? `: ${each.description}` : ""}
          </option>`,
        )}
      </select>`;
    }
    case "number":
      return html`<input id=${id} name=${name} type="number" step="1" aria-describedby=${about}
        aria-invalid=${invalid} min=${control.least} max=${control.most}
        value=${String(standard)} />`;
    case "text":
      return html`<input id=${id} name=${name} aria-describedby=${about} aria-invalid=${invalid}
        pattern=${control.pattern ?? nothing} maxlength=${control.most ?? nothing}
        autocomplete="off" spellcheck="false" value=${String(standard ?? "")} />`;
    case "json":
      return html`<textarea id=${id} name=${name} rows="4" aria-describedby=${about}
        aria-invalid=${invalid} spellcheck="false">${JSON.stringify(standard, null, 1)}</textarea>`;
  }
}

/** What was chosen otherwise than is usual, and all that the schema has against it. */
export function chosen(
  options: readonly Option[],
  form: HTMLFormElement,
): { values: JsonObject; faults: Faults } {
  const values: JsonObject = {};
  const faults: Record<string, string> = {};
  for (const option of options) {
    const input = form.elements.namedItem(option.name);
    if (!(input instanceof HTMLElement)) continue;
    const read = valueOf(input as HTMLInputElement, option.control);
    if ("fault" in read) faults[option.name] = read.fault;
    else if (JSON.stringify(read.value) !== JSON.stringify(option.standard)) {
      values[option.name] = read.value;
    }
  }
  return { values, faults };
}

function valueOf(
  input: HTMLInputElement,
  control: Option["control"],
): { value: JsonValue } | { fault: string } {
  switch (control.kind) {
    case "check":
      return { value: input.checked };
    case "number": {
      const value = Number(input.value);
      const within = value >= control.least && value <= control.most && Number.isInteger(value);
      const fault = `It is a whole number from ${control.least} to ${control.most}.`;
      return input.value !== "" && within ? { value } : { fault };
    }
    case "text":
      if (!input.validity.patternMismatch) return { value: input.value };
      return { fault: `It has the form ${control.pattern?.replace(/^\^|\$$/g, "")}.` };
    default:
      try {
        return { value: JSON.parse(input.value) as JsonValue };
      } catch (failure) {
        return { fault: `This is no JSON: ${(failure as Error).message}` };
      }
  }
}

/** A name of the service as people read it. */
export function words(name: string): string {
  return name.replaceAll(/[_-]/g, " ").replace(/^./, (first) => first.toUpperCase());
}
