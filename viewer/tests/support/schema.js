// schema.js: data.d.ts as something that values can be held against.
//
// It reads the small part of TypeScript that data.d.ts keeps to, and complains of anything else:
//
//   /** comment */ export type NAME = TYPE;
//   /** comment */ export interface NAME { /** comment */ FIELD?: TYPE; ... }
//   TYPE: string, number, boolean, null, NAME, TYPE[], [TYPE, ...], TYPE | ...
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ kind: 'name', name: string }
 *   | { kind: 'array', of: Type }
 *   | { kind: 'tuple', of: Type[] }
 *   | { kind: 'union', of: Type[] }} Type
 */

/** @typedef {{ type: Type, isOptional: boolean }} Field */

/**
 * @typedef {object} Declaration
 * @property {Map<string, string>} tags   of its comment: minimum, place, table
 * @property {Type | null} alias          null: an interface
 * @property {Map<string, Field>} fields  of an interface
 */

/** @typedef {Map<string, Declaration>} Schema */

const BASIC = ['string', 'number', 'boolean', 'null'];
const MOST = 2 ** 53;

/**
 * @param {string | URL} path
 * @returns {Schema}
 */
export const readSchema = (path) => parseSchema(readFileSync(path, 'utf8'));

/**
 * @param {string} text
 * @returns {Schema}
 */
export function parseSchema(text) {
  const tokens = [...text.matchAll(/\/\*\*[^]*?\*\/|\/\/.*|\w+|\S/g)].map(([token]) => token)
    .filter((token) => !token.startsWith('//'));
  let at = 0;
  const peek = () => tokens[at] ?? 'the end';
  /** @param {string | RegExp} wanted */
  const take = (wanted) => {
    const token = peek();
    const fits = typeof wanted === 'string' ? token === wanted : wanted.test(token);
    if (!fits) throw new Error(`expected ${wanted}, found ${token} behind ${tokens.slice(at - 6, at).join(' ')}`);
    at++;
    return token;
  };
  const takeComment = () => take(/^\/\*\*/);
  const takeName = () => take(/^[A-Za-z_]\w*$/);

  /** @returns {Type} */
  const takeSingle = () => {
    /** @type {Type} */
    let type;
    if (peek() === '[') {
      take('[');
      const of = [takeType()];
      while (peek() === ',') {
        take(',');
        of.push(takeType());
      }
      take(']');
      type = { kind: 'tuple', of };
    } else {
      type = { kind: 'name', name: takeName() };
    }
    while (peek() === '[') {
      take('[');
      take(']');
      type = { kind: 'array', of: type };
    }
    return type;
  };
  /** @returns {Type} */
  const takeType = () => {
    const of = [takeSingle()];
    while (peek() === '|') {
      take('|');
      of.push(takeSingle());
    }
    return of.length === 1 ? of[0] : { kind: 'union', of };
  };

  /** @type {Schema} */
  const schema = new Map();
  while (at < tokens.length) {
    const tags = new Map([...takeComment().matchAll(/@(\w+)[ ]*([\w.-]*)/g)].map(([, name, value]) => [name, value]));
    take('export');
    const kind = take(/^(type|interface)$/);
    const name = takeName();
    /** @type {Declaration} */
    const declaration = { tags, alias: null, fields: new Map() };
    if (kind === 'type') {
      take('=');
      declaration.alias = takeType();
      take(';');
    } else {
      take('{');
      while (peek() !== '}') {
        takeComment();
        const field = takeName();
        const isOptional = peek() === '?';
        if (isOptional) take('?');
        take(':');
        declaration.fields.set(field, { type: takeType(), isOptional });
        take(';');
      }
      take('}');
    }
    schema.set(name, declaration);
  }
  return schema;
}

/** Which fields of a schema were met in values, as Interface.field. @typedef {Set<string>} Seen */

/**
 * The array that a path such as buffers.id leads to.
 * @param {any} root
 * @param {string} path
 */
const arrayAt = (root, path) => path.split('.').reduce((value, name) => value?.[name], root);

/**
 * What is wrong with a value: a line for each fault, none when it is of the type.
 * @param {Schema} schema
 * @param {string} name of the type
 * @param {unknown} root the value, in which places are looked up
 * @param {Seen} [seen]
 */
export function faultsOf(schema, name, root, seen = new Set()) {
  /** @type {string[]} */
  const faults = [];

  /**
   * @param {Map<string, string>} tags
   * @param {number} value
   * @param {string} where
   */
  const checkTags = (tags, value, where) => {
    const place = tags.get('place');
    const least = tags.get('minimum') ?? (place === undefined ? undefined : '0');
    if (least !== undefined && value < Number(least)) faults.push(`${where}: ${value} is less than ${least}`);
    if (place !== undefined && value >= 0) {
      const array = arrayAt(root, place);
      if (!Array.isArray(array) || value >= array.length) faults.push(`${where}: ${value} is no place in ${place}`);
    }
  };
  /**
   * @param {Declaration} declaration
   * @param {string} of
   * @param {any} value
   * @param {string} where
   */
  const checkFields = ({ fields, tags }, of, value, where) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.push(`${where}: ${JSON.stringify(value)} is no ${of}`);
      return;
    }
    for (const key of Object.keys(value)) if (!fields.has(key)) faults.push(`${where}.${key}: ${of} has no such field`);
    for (const [key, { type, isOptional }] of fields) {
      if (Object.hasOwn(value, key)) {
        seen.add(`${of}.${key}`);
        check(type, value[key], `${where}.${key}`);
      } else if (!isOptional) {
        faults.push(`${where}.${key} is missing`);
      }
    }
    const lengths = new Set(Object.values(value).map((column) => column?.length));
    if (tags.has('table') && lengths.size > 1) {
      faults.push(`${where}: columns of ${[...lengths].join(' and ')} rows`);
    }
  };
  /**
   * @param {string} of
   * @param {any} value
   * @param {string} where
   */
  const checkNamed = (of, value, where) => {
    const declaration = schema.get(of);
    if (declaration?.alias) {
      check(declaration.alias, value, where);
      if (typeof value === 'number') checkTags(declaration.tags, value, where);
    } else if (declaration) {
      checkFields(declaration, of, value, where);
    } else if (!BASIC.includes(of)) {
      throw new Error(`${of} is not declared`);
    } else if ((of === 'null' ? value !== null : typeof value !== of)) {
      faults.push(`${where}: ${JSON.stringify(value)} is no ${of}`);
    } else if (of === 'number' && !(Number.isInteger(value) && Math.abs(value) <= MOST)) {
      faults.push(`${where}: ${value} is not whole or too large`);
    }
  };
  /**
   * @param {Type} type
   * @param {any} value
   * @param {string} where
   */
  const check = (type, value, where) => {
    switch (type.kind) {
      case 'name':
        checkNamed(type.name, value, where);
        break;
      case 'union': {
        const before = faults.length;
        const fits = type.of.some((one) => {
          faults.length = before;
          check(one, value, where);
          return faults.length === before;
        });
        faults.length = before;
        if (!fits) faults.push(`${where}: ${JSON.stringify(value)} is none of the types it may be`);
        break;
      }
      default:
        if (!Array.isArray(value) || (type.kind === 'tuple' && value.length !== type.of.length)) {
          faults.push(`${where}: ${JSON.stringify(value)} is no ${type.kind} of this type`);
        } else {
          value.forEach((one, i) => check(type.kind === 'tuple' ? type.of[i] : type.of, one, `${where}[${i}]`));
        }
    }
  };
  check({ kind: 'name', name }, root, name);
  return faults;
}
