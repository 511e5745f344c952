/** How an answer differs from what a typed client declares of it, read from its declarations. */
import { readFileSync } from "node:fs";

interface Declared {
  /** Types by the names of fields. */
  readonly fields: ReadonlyMap<string, string>;
  /** Of the items, if it is a list. */
  readonly item: string | undefined;
}

export class Declarations {
  readonly #interfaces = new Map<string, Declared>();
  readonly #aliases = new Map<string, string>();

  constructor(path: string) {
    const text = readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    for (const [, name, item, body] of text.matchAll(
      /^interface ([\w$]+)(?: extends Array<([\w$]+)>)? \{([\s\S]*?)\}$/gm,
    )) {
      const fields = [...body.matchAll(/^\s+(?:readonly )?'?([\w]+)'?\??: (.+);$/gm)];
      this.#interfaces.set(name, {
        fields: new Map(fields.map(([, field, type]) => [field, type])),
        item,
      });
    }
    for (const [, name, type] of text.matchAll(/^type ([\w$]+) = ([^;{]+);$/gm)) {
      this.#aliases.set(name, type);
    }
  }

  /** Fields that are sent but not declared, with "+", and those declared but not sent, with "-". */
  differences(value: unknown, type: string): string[] {
    return [...new Set(this.#compare(value, type, ""))].toSorted();
  }

  #compare(value: unknown, type: string, path: string): string[] {
    const list = /^Array<(.+)>$/.exec(type)?.[1] ?? this.#interfaces.get(type)?.item;
    if (list !== undefined) {
      if (!Array.isArray(value)) return [`${path} is no list`];
      return value.flatMap((item) => this.#compare(item, list, `${path}[]`));
    }
    const alias = this.#aliases.get(type);
    if (alias !== undefined) return this.#compareWithAny(value, alias.split(/\s*\|\s*/), path);
    const declared = this.#interfaces.get(type);
    if (declared === undefined || value === null) return [];
    if (typeof value !== "object") return [`${path} is no object`];
    const sent = new Set(Object.keys(value));
    const below = (field: string) => (path === "" ? field : `${path}.${field}`);
    return [
      ...[...sent].filter((field) => !declared.fields.has(field)).map((f) => `+${below(f)}`),
      ...[...declared.fields.keys()].filter((field) => !sent.has(field)).map((f) => `-${below(f)}`),
      ...Object.entries(value).flatMap(([field, item]) =>
        this.#compare(item, declared.fields.get(field) ?? "", below(field)),
      ),
    ];
  }

  /** With the type of several that it is closest to. */
  #compareWithAny(value: unknown, types: readonly string[], path: string): string[] {
    const [closest] = types
      .map((type) => this.#compare(value, type, path))
      .toSorted((one, other) => one.length - other.length);
    return closest;
  }
}
