// Nine buses (Chow 1982; Schulz, Turner & Ewart 1974): numbers as in the case files of MATPOWER (Zimmerman, Murillo-Sánchez & Thomas 2011).

import type { BuiltInCase } from './built-in-case.ts';

export const CASE9: BuiltInCase = {
  title: 'Nine buses (Chow 1982; Schulz, Turner & Ewart 1974)',
  base: 100,
  buses: `
1 3 0 0 0 0 1 0 345; 2 2 0 0 0 0 1 0 345; 3 2 0 0 0 0 1 0 345; 4 1 0 0 0 0 1 0 345; 5 1 90 30 0 0 1 0 345;
6 1 0 0 0 0 1 0 345; 7 1 100 35 0 0 1 0 345; 8 1 0 0 0 0 1 0 345; 9 1 125 50 0 0 1 0 345`,
  generators: `
1 72.3 27.03 300 -300 1.04; 2 163 6.54 300 -300 1.025; 3 85 -10.95 300 -300 1.025`,
  branches: `
1 4 0 .0576 0 250 250 250; 4 5 .017 .092 .158 250 250 250; 5 6 .039 .17 .358 150 150 150;
3 6 0 .0586 0 300 300 300; 6 7 .0119 .1008 .209 150 150 150; 7 8 .0085 .072 .149 250 250 250;
8 2 0 .0625 0 250 250 250; 8 9 .032 .161 .306 250 250 250; 9 4 .01 .085 .176 250 250 250`,
};
