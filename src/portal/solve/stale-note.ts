// Says that a result on screen is not of the inputs on screen.

import { h } from 'preact';

export const StaleNote = () => h('span', { class: 'stale-note' }, 'For the inputs before');
