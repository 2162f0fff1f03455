// modules.js: the list of modules that the page is of: what they are called, which one it opens with.
import { bytes, pathEnd } from './format.js';

/** @import { IndexEntry, PageIndex } from '../data.d.ts' */

/**
 * Modules of one name.
 * @typedef {object} Namesakes
 * @property {number} count
 * @property {Set<string>} paths   their files
 * @property {number} components   how many at the end of the paths tell them apart
 */

export class ModuleList {
  /** @param {PageIndex} index */
  constructor(index) {
    this.entries = index.modules;
    this.mostBytes = index.most_bytes;
    this.namesakes = namesakesOf(index.modules);
  }

  /**
   * @param {number | null} id
   * @returns {IndexEntry | null} null when there is none of this id
   */
  find(id) {
    return this.entries.find((entry) => entry.id === id) ?? null;
  }

  /**
   * The module with the largest peak of those that have something to show, else of all; null when there is none.
   * @param {(entry: IndexEntry) => boolean} hasData
   */
  largest(hasData) {
    /** @type {IndexEntry | null} */
    let best = null;
    let bestRank = 0;
    for (const entry of this.entries) {
      const rank = hasData(entry) && (entry.space_count ?? 0) > 0 ? 1 : 0;
      const peak = Number(entry.peak_bytes ?? 0);
      if (!best || rank > bestRank || (rank === bestRank && peak > Number(best.peak_bytes ?? 0))) {
        best = entry;
        bestRank = rank;
      }
    }
    return best;
  }

  /**
   * A module's name; where others have the same, with its program id, and with as much of its path's end as tells
   * them apart.
   * @param {IndexEntry} entry
   */
  nameOf(entry) {
    const whole = entry.name || entry.path || '(no name)';
    const name = whole.length > 80 ? `${whole.slice(0, 79)}\u2026` : whole;
    const twins = this.namesakes.get(entry.name);
    if (!entry.name || !twins || twins.count < 2) return name;
    const program = entry.program_id !== null ? `(${entry.program_id})` : '';
    const file = twins.paths.size > 1 ? `, ${pathEnd(entry.path || '', twins.components)}` : '';
    return name + program + file;
  }

  /**
   * Its line in the list of modules.
   * @param {IndexEntry} entry
   */
  lineOf(entry) {
    const what = entry.problem && !entry.space_count ? 'nothing to show'
      : entry.left_out_bytes ? 'left out'
        : bytes(entry.peak_bytes === undefined ? null : Number(entry.peak_bytes));
    return `${this.nameOf(entry)} \u2014 ${what}`;
  }

  /**
   * Why a module has nothing to show.
   * @param {IndexEntry} entry
   */
  whyEmpty(entry) {
    if (entry.left_out_bytes) {
      return `${this.nameOf(entry)} is left out: its ${bytes(entry.left_out_bytes)} would take this page ` +
        `beyond ${bytes(this.mostBytes)}. Make a page of this module alone.`;
    }
    return `${this.nameOf(entry)}: ${entry.problem || 'no buffer assignment, so nothing is known of its memory.'}`;
  }
}

/**
 * @param {IndexEntry[]} entries
 * @returns {Map<string | null, Namesakes>}
 */
function namesakesOf(entries) {
  const named = new Map();
  for (const { name, path } of entries) {
    if (!named.has(name)) named.set(name, { count: 0, paths: new Set(), components: 1 });
    const twins = named.get(name);
    twins.count++;
    twins.paths.add(path || '');
  }
  for (const twins of named.values()) {
    const paths = [...twins.paths];
    const ends = () => new Set(paths.map((path) => pathEnd(path, twins.components)));
    while (ends().size < paths.length) twins.components++;
  }
  return named;
}
