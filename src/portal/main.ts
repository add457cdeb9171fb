// The portal's entry. Views are plain calls of `h`: Node, the linter and every gate read them as they are.

import './style/base.css';
import './style/controls.css';
import './style/solve.css';
import { h, render } from 'preact';
import { watchAddress } from './route.ts';
import { Shell } from './shell.ts';
import { watchTheme } from './theme.ts';

watchTheme();
watchAddress();
const root = document.getElementById('portal');
if (root) render(h(Shell, null), root);
