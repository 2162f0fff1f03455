// dom.js: elements of the page.
import { bytes, exactBytes } from './format.js';

/**
 * An element that viewer.html has.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byIdAs(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} named ${id}`);
  return element;
}

/** @param {string} id */
export const byId = (id) => byIdAs(id, HTMLElement);

/**
 * The first element in `root` that a selector finds.
 * @template {Element} T
 * @param {Element} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function findAs(root, selector, type) {
  const element = root.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`${root.id} has no ${type.name} ${selector}`);
  return element;
}

/**
 * All elements of the page that a selector finds.
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
export const all = (selector) => document.querySelectorAll(selector);

/**
 * What an element is made with: a function listens to the event that is named after `on`; null and false are left out.
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * An element. Texts only ever become text nodes: names come from files.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/**
 * A size: readable, exact on hover and to whoever reads the page by program.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {number | null | undefined} n
 * @param {K} tag
 * @param {Attributes} [attributes]
 */
export function sizeElement(n, tag, attributes = {}) {
  const known = n !== null && n !== undefined;
  return el(tag, { title: exactBytes(n), 'data-bytes': known ? String(n) : null, ...attributes }, bytes(n));
}

/**
 * The JSON of a block of data; null when the page has none of this id.
 * @param {string} id
 */
export function readBlock(id) {
  const text = document.getElementById(id)?.textContent;
  return typeof text === 'string' ? JSON.parse(text) : null;
}

/**
 * Where in an element an event happened, in CSS pixels.
 * @param {MouseEvent} event
 * @param {Element} root
 */
export function pointIn(event, root) {
  const box = root.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}
