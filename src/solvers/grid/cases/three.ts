// Three buses in a triangle of equal lines: two thirds of a transfer take the direct line, one third the other way.

import type { BuiltInCase } from './built-in-case.ts';

export const THREE: BuiltInCase = {
  title: 'Three buses in a triangle',
  base: 100,
  buses: '1 3 0 0; 2 2 0 0; 3 1 150 50',
  generators: '1 60 0 100 -100 1.02; 2 90 0 100 -100 1.01',
  branches: '1 2 .01 .1 .02 80 80 80; 1 3 .01 .1 .02 100 100 100; 2 3 .01 .1 .02 80 80 80',
};
