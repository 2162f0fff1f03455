// store.js: the state of the page, and who is told of its changes.

/** @import { Space } from './model.js' */
/** @import { View } from './view.js' */

/** @typedef {'program' | 'size' | 'padding'} Order */

/**
 * @typedef {object} State
 * @property {Space | null} space    null: the chosen module has nothing to show
 * @property {number} heap           whose curve is shown
 * @property {number | null} at      chosen position; null: the peak
 * @property {number | null} beyond  a position that was asked for beyond the last one, which stands for it; null when
 *                                   `at` is what was asked for
 * @property {number[]} live         items at that position
 * @property {Order} order           of the bars
 * @property {number} hover          item; -1: none
 * @property {number} pinned         item; -1: none
 * @property {number | null} cursor  position that is pointed at
 * @property {View | null} view      of the timeline; null: all
 * @property {Uint8Array | null} matches   a flag an item; null without a search
 * @property {number} layout         another number when sizes have changed
 * @property {number} theme          another number when colours have changed
 */

/** The state while there is something to show. @typedef {State & { space: Space }} Shown */

/** Which fields of the state have changed. @typedef {Set<keyof State>} Changes */

/** What is told, once a frame, what changed. @typedef {{ update(changed: Changes): void }} Part */

export class Store {
  /** @param {(run: () => void) => void} nextFrame runs a function later */
  constructor(nextFrame) {
    /** @type {State} */
    this.state = {
      space: null, heap: 0, at: null, beyond: null, live: [], order: 'size', hover: -1, pinned: -1, cursor: null,
      view: null, matches: null, layout: 0, theme: 0,
    };
    /** @type {Part[]} */
    this.parts = [];
    /** @type {Changes} */
    this.changed = new Set();
    this.waiting = false;
    this.nextFrame = nextFrame;
  }

  /** The state for parts, which are only told of changes while a space is shown. @returns {Shown} */
  get shown() {
    const { state } = this;
    if (state.space === null) throw new Error('nothing is shown');
    return /** @type {Shown} */ (state);
  }

  /** @param {Partial<State>} patch */
  set(patch) {
    const { state } = this;
    const whole = 'at' in patch && !('beyond' in patch) ? { ...patch, beyond: null } : patch;
    for (const name of /** @type {(keyof State)[]} */ (Object.keys(whole))) {
      if (state[name] !== whole[name]) this.changed.add(name);
    }
    Object.assign(state, whole);
    if (this.changed.has('at') && !('live' in whole) && state.space) {
      state.live = state.space.liveAt(state.at);
      this.changed.add('live');
    }
    if (this.changed.size > 0 && !this.waiting) {
      this.waiting = true;
      this.nextFrame(() => this.flush());
    }
  }

  /** Tell all parts now. */
  flush() {
    this.waiting = false;
    if (!this.state.space) return;
    const { changed } = this;
    this.changed = new Set();
    for (const part of this.parts) part.update(changed);
  }
}

/**
 * @param {Changes} changed
 * @param {...keyof State} names
 */
export const hasAny = (changed, ...names) => names.some((name) => changed.has(name));

/**
 * The item in the card: what is pointed at, else what was kept.
 * @param {State} state
 */
export const shownItem = (state) => (state.hover >= 0 ? state.hover : state.pinned);

/**
 * @param {Store} store
 * @param {number} item
 */
export function togglePin(store, item) {
  if (item >= 0) store.set({ pinned: store.state.pinned === item ? -1 : item });
}
