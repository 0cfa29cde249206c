/**
 * A form for options that the service describes: of a match of any game, or the constraints of an army. All that is
 * wrong with it is told at once, beside its fields.
 */

import { type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import { type ContentEntry, type GameOption, OptionType } from "../client/index.ts";

/** An option with what its control needs. */
export interface Option {
  name: string;
  title: string;
  about: string;
  standard: JsonValue;
  control:
    | { kind: "check" }
    | { kind: "choice"; choices: readonly { value: JsonValue; title: string }[] }
    | { kind: "entry"; entries: readonly ContentEntry[] }
    | { kind: "number"; least: number; most: number }
    | { kind: "text"; pattern: string | undefined; most: number | undefined }
    | { kind: "json" };
}

/** What is wrong, by the name of the option. */
export type Faults = Readonly<Record<string, string>>;

/** The options as the service orders them, with the content that their values name. */
export function optionsOf(
  options: readonly GameOption[],
  content: readonly ContentEntry[] = [],
): Option[] {
  return options.map((option) => ({
    name: option.name,
    title: option.title,
    about: option.description,
    standard: json(option.defaultValue),
    control: controlOf(option, content),
  }));
}

/** The name of the option that holds an army for each seat; undefined if none does. */
export function armiesOption(options: readonly GameOption[]): string | undefined {
  return options.find(({ type }) => type === OptionType.ARMIES)?.name;
}

function controlOf(option: GameOption, content: readonly ContentEntry[]): Option["control"] {
  switch (option.type) {
    case OptionType.BOOLEAN:
      return { kind: "check" };
    case OptionType.INTEGER:
      return { kind: "number", least: option.minValue ?? 0, most: option.maxValue ?? 1e9 };
    case OptionType.CHOICE: {
      const choices = option.choices.map(({ value, title }) => ({ value: json(value), title }));
      return { kind: "choice", choices };
    }
    case OptionType.CONTENT:
      return { kind: "entry", entries: content.filter(({ kind }) => kind === option.contentKind) };
    case OptionType.PACK:
      return { kind: "text", pattern: "^[0-9a-f]{64}$", most: 64 };
    case OptionType.TEXT:
      return { kind: "text", pattern: undefined, most: option.maxLength || undefined };
    default:
      return { kind: "json" };
  }
}

function json(value: Value | undefined): JsonValue {
  return value ? toJson(ValueSchema, value) : null;
}

/** The field of an option: its control, what it means, and what is wrong with it. */
export function field(option: Option, fault = "", preset?: string): TemplateResult {
  const { name, title, about, control } = option;
  const id = `option-${name}`;
  const bounds = control.kind === "number" ? `${control.least} to ${control.most}` : "";
  return html`<div class="field ${control.kind === "check" ? "checked" : ""}">
    <label for=${id}>${title}</label>
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
        ${control.choices.map(
          ({ value, title }) => html`<option value=${JSON.stringify(value)} ?selected=${value === standard}>
            ${title}
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
      const fault = `Enter a whole number from ${control.least} to ${control.most}.`;
      return input.value !== "" && within ? { value } : { fault };
    }
    case "text":
      if (!input.validity.patternMismatch) return { value: input.value };
      return { fault: `Enter text of the form ${control.pattern?.replace(/^\^|\$$/g, "")}.` };
    default:
      try {
        return { value: JSON.parse(input.value) as JsonValue };
      } catch (failure) {
        return { fault: `Invalid JSON: ${(failure as Error).message}` };
      }
  }
}

/** A name of the service as people read it. */
export function words(name: string): string {
  return name.replaceAll(/[_-]/g, " ").replace(/^./, (first) => first.toUpperCase());
}
