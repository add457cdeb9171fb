// Five buses of the PJM training material, as in Li & Bo, IEEE Power and Energy Society General Meeting 2010.

import type { BuiltInCase } from './built-in-case.ts';

export const FIVE: BuiltInCase = {
  title: 'Five buses with ratings (Li & Bo 2010)',
  base: 100,
  buses:
    '1 2 0 0 0 0 1 0 230; 2 1 300 98.61 0 0 1 0 230; 3 2 300 98.61 0 0 1 0 230; 4 3 400 131.47 0 0 1 0 230; 5 2 0 0 0 0 1 0 230',
  generators: `
1 40 0 30 -30; 1 170 0 127.5 -127.5; 3 323.49 0 390 -390; 4 0 0 150 -150; 5 466.51 0 450 -450`,
  branches: `
1 2 .00281 .0281 .00712 400 400 400; 1 4 .00304 .0304 .00658; 1 5 .00064 .0064 .03126; 2 3 .00108 .0108 .01852;
3 4 .00297 .0297 .00674; 4 5 .00297 .0297 .00674 240 240 240`,
};
