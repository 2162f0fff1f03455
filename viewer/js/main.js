// main.js: the page begins.
import { Viewer } from './viewer.js';

// For whoever drives the page by program: its state, and where things are drawn.
Object.assign(window, { memview: new Viewer() });
