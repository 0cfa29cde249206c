/** A form for the options of any game, from the JSON schema that the service gives. */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { html, nothing, type TemplateResult } from "lit";

interface Schema {
  type?: string;
  enum?: JsonValue[];
  anyOf?: Schema[];
  default?: JsonValue;
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  properties?: Record<string, Schema>;
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
    | { kind: "number"; least: number; most: number }
    | { kind: "text"; pattern: string | undefined; most: number | undefined }
    | { kind: "json" };
}

const ORDER = ["choice", "number", "check", "text", "json"];

/** The options of a schema, those that are easiest to choose first. */
export function optionsOf(schema: JsonObject): Option[] {
  const root = schema as Schema;
  const whole = resolved(root, root);
  const found = Object.entries(whole.properties ?? {}).map(([name, each]): Option => {
    const property = { ...resolved(each, root), ...each };
    return {
      name,
      about: property.description ?? "",
      standard: property.default ?? null,
      control: controlOf(property),
    };
  });
  const rank = ({ control, name }: Option): string => `${ORDER.indexOf(control.kind)} ${name}`;
  return found.sort((a, b) => rank(a).localeCompare(rank(b)));
}

function resolved(schema: Schema, root: Schema): Schema {
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

/** The control of an option. */
export function field(option: Option): TemplateResult {
  const { name, about, control, standard } = option;
  const id = `option-${name}`;
  return html`<div class="field">
    <label for=${id}>${words(name)}</label>
    ${controlFor(option, id, control, standard)}
    ${about ? html`<p class="note" id="${id}-about">${about}</p>` : nothing}
  </div>`;
}

function controlFor(
  { name }: Option,
  id: string,
  control: Option["control"],
  standard: JsonValue,
): TemplateResult {
  const about = `${id}-about`;
  switch (control.kind) {
    case "check":
      return html`<input id=${id} name=${name} type="checkbox" aria-describedby=${about}
        ?checked=${standard === true} />`;
    case "choice":
      return html`<select id=${id} name=${name} aria-describedby=${about}>
        ${control.values.map(
          (value) => html`<option value=${JSON.stringify(value)} ?selected=${value === standard}>
            ${value === null ? "as is usual" : words(String(value))}
          </option>`,
        )}
      </select>`;
    case "number":
      return html`<input id=${id} name=${name} type="number" step="1" aria-describedby=${about}
        min=${control.least} max=${control.most} value=${String(standard)} />`;
    case "text":
      return html`<input id=${id} name=${name} aria-describedby=${about}
        pattern=${control.pattern ?? nothing} maxlength=${control.most ?? nothing}
        value=${String(standard ?? "")} />`;
    case "json":
      return html`<textarea id=${id} name=${name} rows="4" aria-describedby=${about}
        spellcheck="false">${JSON.stringify(standard, null, 1)}</textarea>`;
  }
}

/** What was chosen otherwise than is usual. Throws SyntaxError for JSON that is none. */
export function chosen(options: readonly Option[], form: HTMLFormElement): JsonObject {
  const found: JsonObject = {};
  for (const { name, standard, control } of options) {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLElement)) continue;
    const value = valueOf(input as HTMLInputElement, control.kind);
    if (JSON.stringify(value) !== JSON.stringify(standard)) found[name] = value;
  }
  return found;
}

function valueOf(input: HTMLInputElement, kind: Option["control"]["kind"]): JsonValue {
  switch (kind) {
    case "check":
      return input.checked;
    case "number":
      return Number(input.value);
    case "text":
      return input.value;
    default:
      return JSON.parse(input.value) as JsonValue;
  }
}

function words(name: string): string {
  return name.replaceAll(/[_-]/g, " ").replace(/^./, (first) => first.toUpperCase());
}
