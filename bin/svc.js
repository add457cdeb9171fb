#!/usr/bin/env node
// Starts the CLI: from the sources in a checkout, from dist in an installed package.
import { existsSync } from 'node:fs';

const source = new URL('../src/cli/main.ts', import.meta.url);
const isCheckout = existsSync(source) && !import.meta.url.includes('/node_modules/');
await import(isCheckout ? source.href : new URL('../dist/src/cli/main.js', import.meta.url).href);
