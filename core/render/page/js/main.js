// main.js: the state of the page, and what changes it.

/** The state: module, space (decoded), heap (of the curve), at (chosen position, null: the peak), live (items at it),
 * order (of the bars), hover and pinned (items, -1: none), cursor (position pointed at), view (of the timeline, null:
 * all), matches (a flag an item, null without a search), beyond (a position that was asked for beyond the last one, which
 * stands for it; null when at is what was asked for). Parts are told once a frame what changed. */
class Store {
  constructor(state) {
    this.state = state;
    this.parts = [];
    this.changed = new Set();
    this.waiting = false;
  }

  set(patch) {
    if ('at' in patch && !('beyond' in patch)) patch = { ...patch, beyond: null };
    for (const [name, value] of Object.entries(patch)) {
      if (this.state[name] === value) continue;
      this.state[name] = value;
      this.changed.add(name);
    }
    if (this.changed.has('at') && !('live' in patch)) {
      this.state.live = this.state.space.liveAt(this.state.at);
      this.changed.add('live');
    }
    if (this.changed.size > 0 && !this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => this.flush());
    }
  }

  flush() {
    this.waiting = false;
    if (!this.state.space) return;
    const changed = this.changed;
    this.changed = new Set();
    for (const part of this.parts) part.update(changed);
  }
}

/** The item in the card: what is pointed at, else what was kept. */
const shownItem = (state) => (state.hover >= 0 ? state.hover : state.pinned);

function togglePin(store, item) {
  if (item >= 0) store.set({ pinned: store.state.pinned === item ? -1 : item });
}

class Viewer {
  constructor() {
    this.index = parseBlock('index');
    this.namesakes = this.findNamesakes();
    this.modules = new Map();
    this.store = new Store({
      module: null, space: null, heap: 0, at: null, live: [], order: 'size', hover: -1, pinned: -1, cursor: null, view: null,
      matches: null, beyond: null,
    });
    theme.refresh();
    const { store } = this;
    this.timeline = new Timeline(store);
    this.curve = new Curve(store);
    this.bars = new Bars(store);
    store.parts = [this.curve, new Readout(store), this.bars, this.timeline, new LiveTable(store), new Card(store), this];
    this.listen();
    this.fillModules();
    this.readHash();
  }

  listen() {
    const { store } = this;
    byId('module').addEventListener('change', (event) => this.choose(Number(event.target.value), null));
    byId('space').addEventListener('change', (event) => this.choose(this.entry.id, event.target.value));
    byId('search').addEventListener('input', () => this.search());
    byId('search').addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.timeline.step(event.shiftKey ? -1 : 1);
    });
    byId('theme').addEventListener('click', () => this.nextTheme());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.themeChanged());
    for (const button of document.querySelectorAll('[data-save]')) {
      button.addEventListener('click', () => {
        byId('save').open = false;
        save(store.state, button.dataset.save);
      });
    }
    document.addEventListener('click', (event) => {
      if (!byId('save').contains(event.target)) byId('save').open = false;
    });
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('hashchange', () => this.readHash());
    const observer = new ResizeObserver(() => store.set({ layout: (store.state.layout || 0) + 1 }));
    for (const id of ['curve', 'bars', 'timeline']) observer.observe(byId(id));
  }

  key(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === '/' && !typing) {
      byId('search').focus();
      event.preventDefault();
    } else if (event.key === 'Escape') {
      byId('save').open = false;
      if (!typing && !event.defaultPrevented) this.store.set({ pinned: -1, hover: -1 });
    }
  }

  // --- modules and spaces ---

  fillModules() {
    const options = this.index.modules.map((entry) => {
      const what = entry.problem && !entry.space_count ? 'nothing to show' : entry.left_out_bytes ? 'left out' : bytes(entry.peak_bytes);
      return el('option', { value: entry.id, title: entry.path }, `${this.moduleName(entry)} \u2014 ${what}`);
    });
    byId('module').replaceChildren(...options);
  }

  /** A module's name; where others have the same, with its program id, and with as much of its path's end as tells
   * them apart. */
  moduleName(entry) {
    const whole = entry.name || entry.path || '(no name)';
    const name = whole.length > 80 ? `${whole.slice(0, 79)}\u2026` : whole;
    const twins = this.namesakes.get(entry.name);
    if (!entry.name || twins.count < 2) return name;
    const program = entry.program_id !== null ? `(${entry.program_id})` : '';
    return twins.paths.size > 1 ? `${name}${program}, ${pathEnd(entry.path || '', twins.components)}` : `${name}${program}`;
  }

  /** By name: how many modules have it, their files, and how many components at the end of the paths differ. */
  findNamesakes() {
    const all = new Map();
    for (const { name, path } of this.index.modules) {
      if (!all.has(name)) all.set(name, { count: 0, paths: new Set(), components: 1 });
      const twins = all.get(name);
      twins.count++;
      twins.paths.add(path || '');
    }
    for (const twins of all.values()) {
      const paths = [...twins.paths];
      while (new Set(paths.map((path) => pathEnd(path, twins.components))).size < paths.length) twins.components++;
    }
    return all;
  }

  /** The module with the largest peak whose data is here. */
  get defaultEntry() {
    const modules = this.index.modules;
    let best = modules[0];
    for (const entry of modules) {
      const has = (e) => (byId(`module-${e.id}`) && e.space_count > 0 ? 1 : 0);
      if (has(entry) > has(best) || (has(entry) === has(best) && (entry.peak_bytes ?? 0) > (best.peak_bytes ?? 0))) best = entry;
    }
    return best;
  }

  choose(moduleId, spaceKey, patch = {}) {
    const entry = this.index.modules.find((e) => e.id === moduleId) || this.defaultEntry;
    this.entry = entry;
    if (!entry) {
      this.showNotice('This source has no modules.');
      return;
    }
    byId('module').value = String(entry.id);
    document.title = `${this.moduleName(entry)} \u2013 memview`;
    const module = this.load(entry);
    byId('space').disabled = !module || module.spaces.length === 0;
    if (!module || module.spaces.length === 0) {
      byId('space').replaceChildren();
      byId('work').hidden = true;
      byId('overview').hidden = true;
      this.showNotice(this.whyEmpty(entry));
      this.writeHash();
      return;
    }
    const keys = module.spaces.map((space) => String(space.color));
    let index = keys.indexOf(String(spaceKey));
    if (index < 0) index = Math.max(0, keys.indexOf('0'));
    byId('space').replaceChildren(...module.spaces.map((space, i) =>
      el('option', { value: keys[i] }, `${space.name} \u2014 ${bytes(space.overview.peak_bytes)}`)));
    byId('space').value = keys[index];
    this.show(module.space(index), patch);
    this.showNotice([entry.problem, module.raw.is_clamped ? 'Some sizes are beyond 2^53 bytes and shown as 8 PiB.' : null].filter(Boolean).join('\n'));
  }

  load(entry) {
    if (!byId(`module-${entry.id}`)) return null;
    if (!this.modules.has(entry.id)) this.modules.set(entry.id, new Module(entry));
    return this.modules.get(entry.id);
  }

  whyEmpty(entry) {
    if (entry.left_out_bytes) {
      return `${this.moduleName(entry)} is left out: its ${bytes(entry.left_out_bytes)} would take this page beyond ` +
        `${bytes(this.index.most_bytes)}. Make a page of this module alone.`;
    }
    return `${this.moduleName(entry)}: ${entry.problem || 'no buffer assignment, so nothing is known of its memory.'}`;
  }

  show(space, { at = null, order, search } = {}) {
    byId('work').hidden = false;
    byId('overview').hidden = false;
    if (search !== undefined) byId('search').value = search;
    const position = at === null ? { at: null } : space.nearest(at);
    fillOverview(space);
    fillLegend(space.overview.peak_unpadded_bytes !== undefined, space.showsUntraced);
    this.store.set({
      space, heap: space.largestHeap, ...position, live: space.liveAt(position.at), hover: -1, pinned: -1, cursor: null, view: null,
      ...(order ? { order } : {}),
    });
    this.store.changed.add('at').add('order').add('live');
    this.search();
  }

  showNotice(text) {
    byId('notice').hidden = !text;
    byId('notice').textContent = text || '';
  }

  // --- search ---

  search() {
    const { space } = this.store.state;
    const text = byId('search').value;
    const note = byId('matches');
    byId('search').setAttribute('aria-invalid', 'false');
    note.classList.remove('bad');
    this.searched = text;
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
      byId('search').setAttribute('aria-invalid', 'true');
      note.classList.add('bad');
      note.textContent = `No regular expression: ${error.message.split(': ').pop()}`;
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
    const hash = new URLSearchParams(location.hash.slice(1));
    const number = (name) => (/^\d+$/.test(hash.get(name) || '') ? Number(hash.get(name)) : null);
    const order = ['program', 'size', 'padding'].includes(hash.get('order')) ? hash.get('order') : undefined;
    this.choose(number('module'), hash.get('space'), { at: number('at'), order, search: hash.get('search') || '' });
  }

  writeHash() {
    const { at, order } = this.store.state;
    const hash = new URLSearchParams({ module: String(this.entry.id) });
    if (!byId('space').disabled) {
      hash.set('space', byId('space').value);
      if (at !== null) hash.set('at', String(at));
      if (order !== 'size') hash.set('order', order);
      if (byId('search').value) hash.set('search', byId('search').value);
    }
    if (location.hash.slice(1) !== hash.toString()) history.replaceState(null, '', `#${hash}`);
  }

  update(changed) {
    if (['space', 'at', 'order'].some((name) => changed.has(name))) this.writeHash();
  }

  // --- colours ---

  nextTheme() {
    const root = document.documentElement;
    const next = { undefined: 'light', light: 'dark', dark: undefined }[root.dataset.theme];
    if (next) root.dataset.theme = next;
    else delete root.dataset.theme;
    this.themeChanged();
  }

  themeChanged() {
    const name = document.documentElement.dataset.theme;
    byId('theme').textContent = name === 'light' ? 'Light' : name === 'dark' ? 'Dark' : 'Auto';
    byId('theme').setAttribute('aria-label', `Colours: ${name || 'as the system has them'}`);
    theme.refresh();
    this.store.set({ theme: (this.store.state.theme || 0) + 1 });
  }
}

// For whoever drives the page by program: its state, and where things are drawn.
window.memview = new Viewer();
