import { test } from 'vitest';
import { expectReached } from './dock-seeds.ts';

test('at least 90 of 100 seeds reach the tabulated minimum of each pair within 1e-4', () => expectReached(100, 0.9));
