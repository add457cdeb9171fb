// Entry point of the portal. Views call `h` directly, so that Node and the linter read the sources without a JSX step.

import './style/base.css';
import './style/controls.css';
import './style/solve.css';
import './style/print.css';
import { h, render } from 'preact';
import { startRouter } from './router.ts';
import { Shell } from './shell.ts';
import { watchTheme } from './theme.ts';

watchTheme();
startRouter();
const root = document.getElementById('portal');
if (root) render(h(Shell, null), root);
