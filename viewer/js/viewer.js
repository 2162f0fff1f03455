// viewer.js: the page as a whole: which module and space it shows, search, address, colours.
import { readAddress, writeAddress } from './address.js';
import { Bars } from './bars.js';
import { Card } from './card.js';
import { Curve } from './curve.js';
import { all, byId, byIdAs, el, readBlock } from './dom.js';
import { bytes, count, plural } from './format.js';
import { Module } from './model.js';
import { ModuleList } from './modules.js';
import { fillOverview } from './overview.js';
import { Readout, fillLegend } from './readout.js';
import { save } from './save.js';
import { Store, hasAny } from './store.js';
import { LiveTable } from './table.js';
import { theme } from './theme.js';
import { Timeline } from './timeline.js';

/** @import { IndexEntry, ModuleData } from '../data.d.ts' */
/** @import { Space } from './model.js' */
/** @import { Changes, Order } from './store.js' */

/**
 * What the address says beside module and space; what is missing stays as it is, but for the position: that is the
 * peak.
 * @typedef {{ at?: number | null, order?: Order | null, search?: string }} Choice
 */

/** @param {IndexEntry} entry */
const blockOf = (entry) => `module-${entry.id}`;

/** @param {IndexEntry} entry */
const hasData = (entry) => document.getElementById(blockOf(entry)) !== null;

export class Viewer {
  constructor() {
    this.list = new ModuleList(readBlock('index'));
    /** Those that were shown. @type {Map<number, Module>} */
    this.modules = new Map();
    /** The chosen module; null: there is none. @type {IndexEntry | null} */
    this.entry = null;
    this.modulePick = byIdAs('module', HTMLSelectElement);
    this.spacePick = byIdAs('space', HTMLSelectElement);
    this.searchField = byIdAs('search', HTMLInputElement);
    this.saveMenu = byIdAs('save', HTMLDetailsElement);
    this.store = new Store((run) => requestAnimationFrame(run));
    theme.refresh();
    const { store } = this;
    this.timeline = new Timeline(store);
    this.curve = new Curve(store);
    this.bars = new Bars(store);
    store.parts = [
      this.curve, new Readout(store), this.bars, this.timeline, new LiveTable(store), new Card(store), this,
    ];
    this.listen();
    this.modulePick.replaceChildren(...this.list.entries.map((entry) =>
      el('option', { value: entry.id, title: entry.path }, this.list.lineOf(entry))));
    this.readHash();
  }

  listen() {
    const { store, modulePick, spacePick, saveMenu, searchField } = this;
    modulePick.addEventListener('change', () => this.choose(Number(modulePick.value), null));
    spacePick.addEventListener('change', () => this.choose(Number(modulePick.value), spacePick.value));
    searchField.addEventListener('input', () => this.search());
    searchField.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.timeline.step(event.shiftKey ? -1 : 1);
    });
    byId('theme').addEventListener('click', () => this.nextTheme());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.themeChanged());
    for (const button of all('[data-save]')) {
      button.addEventListener('click', () => {
        saveMenu.open = false;
        save(store.shown, button.dataset.save ?? '');
      });
    }
    document.addEventListener('click', (event) => {
      if (!(event.target instanceof Node && saveMenu.contains(event.target))) saveMenu.open = false;
    });
    document.addEventListener('keydown', (event) => this.key(event));
    // The link's own way would be through the address, which says what is shown.
    byId('skip').addEventListener('click', (event) => {
      event.preventDefault();
      byId('charts').focus();
    });
    window.addEventListener('hashchange', () => this.readHash());
    const observer = new ResizeObserver(() => store.set({ layout: store.state.layout + 1 }));
    for (const id of ['curve', 'bars', 'timeline']) observer.observe(byId(id));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const typing = event.target instanceof Element && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === '/' && !typing) {
      this.searchField.focus();
      event.preventDefault();
    } else if (event.key === 'Escape') {
      this.saveMenu.open = false;
      if (!typing && !event.defaultPrevented) this.store.set({ pinned: -1, hover: -1 });
    }
  }

  // --- modules and spaces ---

  /**
   * Show a module's space: by their id and color, else those that the page opens with.
   * @param {number | null} moduleId
   * @param {string | null} color
   * @param {Choice} [choice]
   */
  choose(moduleId, color, choice = {}) {
    const entry = this.list.find(moduleId) ?? this.list.largest(hasData);
    this.entry = entry;
    if (!entry) {
      this.showNothing('This source has no modules.');
      return;
    }
    this.modulePick.value = String(entry.id);
    document.title = `${this.list.nameOf(entry)} \u2013 memview`;
    const module = this.load(entry);
    if (!module || module.spaces.length === 0) {
      this.showNothing(this.list.whyEmpty(entry));
      this.writeHash();
      return;
    }
    const colors = module.spaces.map((space) => String(space.color));
    const place = [color ?? '', '0'].map((wanted) => colors.indexOf(wanted)).find((i) => i >= 0) ?? 0;
    this.spacePick.replaceChildren(...module.spaces.map((space, i) =>
      el('option', { value: colors[i] }, `${space.name} \u2014 ${bytes(space.overview.peak_bytes)}`)));
    this.spacePick.value = colors[place];
    this.showPanels(true);
    this.show(module.space(place), choice);
    const clamped = module.raw.is_clamped ? 'Some sizes are beyond 2^53 bytes and shown as 8 PiB.' : null;
    this.showNotice([entry.problem, clamped].filter(Boolean).join('\n'));
  }

  /**
   * @param {IndexEntry} entry
   * @returns {Module | null} null when its data are not here
   */
  load(entry) {
    const known = this.modules.get(entry.id);
    if (known) return known;
    /** @type {ModuleData | null} */
    const data = readBlock(blockOf(entry));
    if (!data) return null;
    const module = new Module(entry, data);
    this.modules.set(entry.id, module);
    return module;
  }

  /** @param {boolean} areThere whether there is something to show, and to save */
  showPanels(areThere) {
    byId('work').hidden = !areThere;
    byId('overview').hidden = !areThere;
    this.saveMenu.hidden = !areThere;
    this.spacePick.disabled = !areThere;
  }

  /** @param {string} why */
  showNothing(why) {
    this.store.set({ space: null, live: [], hover: -1, pinned: -1, cursor: null, view: null, matches: null });
    this.spacePick.replaceChildren();
    this.showPanels(false);
    this.showNotice(why);
  }

  /**
   * @param {Space} space
   * @param {Choice} choice
   */
  show(space, { at = null, order, search }) {
    if (search !== undefined) this.searchField.value = search;
    const position = at === null ? { at: null } : space.nearest(at);
    fillOverview(space);
    fillLegend(space);
    this.store.set({
      space, heap: space.largestHeap, ...position, live: space.liveAt(position.at), hover: -1, pinned: -1, cursor: null,
      view: null, ...(order ? { order } : {}),
    });
    this.store.changed.add('at').add('order').add('live');
    this.search();
  }

  /** @param {string} text empty: none */
  showNotice(text) {
    byId('notice').hidden = !text;
    byId('notice').textContent = text;
  }

  // --- search ---

  search() {
    const { space } = this.store.shown;
    const text = this.searchField.value;
    const note = byId('matches');
    this.searchField.setAttribute('aria-invalid', 'false');
    note.classList.remove('bad');
    if (text === '') {
      note.textContent = '';
      this.store.set({ matches: null });
      this.writeHash();
      return;
    }
    let pattern;
    try {
      pattern = new RegExp(text, 'i');
    } catch (error) {
      this.searchField.setAttribute('aria-invalid', 'true');
      note.classList.add('bad');
      const message = error instanceof Error ? error.message : String(error);
      note.textContent = `No regular expression: ${message.split(': ').pop()}`;
      this.store.set({ matches: null });
      return;
    }
    const matches = space.search(pattern);
    const found = matches.reduce((sum, hit) => sum + hit, 0);
    note.textContent = `${count(found)} of ${plural(space.count, 'buffer')} ${found === 1 ? 'matches' : 'match'}`;
    note.dataset.count = String(found);
    this.store.set({ matches });
    this.writeHash();
  }

  // --- the address ---

  readHash() {
    const { module, space, ...choice } = readAddress(location.hash);
    this.choose(module, space, choice);
  }

  writeHash() {
    const module = this.entry ? this.entry.id : null;
    const { space, at, order } = this.store.state;
    const hash = space
      ? writeAddress({ module, space: String(space.color), at, order, search: this.searchField.value })
      : writeAddress({ module, space: null, at: null, order: null, search: '' });
    if (location.hash.slice(1) !== hash) history.replaceState(null, '', `#${hash}`);
  }

  /** @param {Changes} changed */
  update(changed) {
    if (hasAny(changed, 'space', 'at', 'order')) this.writeHash();
  }

  // --- colours ---

  nextTheme() {
    const { dataset } = document.documentElement;
    const next = { auto: 'light', light: 'dark', dark: undefined }[dataset.theme ?? 'auto'];
    if (next) dataset.theme = next;
    else delete dataset.theme;
    this.themeChanged();
  }

  themeChanged() {
    const name = document.documentElement.dataset.theme;
    byId('theme').textContent = name === 'light' ? 'Light' : name === 'dark' ? 'Dark' : 'Auto';
    byId('theme').setAttribute('aria-label', `Colours: ${name || 'as the system has them'}`);
    theme.refresh();
    this.store.set({ theme: this.store.state.theme + 1 });
  }
}
