import { expect, test } from 'vitest';
import { leftFiles } from '../left-files-reporter.ts';

const died = { cause: new Error('Worker exited unexpectedly') };
const left = { file: 'test/b.test.ts', state: 'pending' } as const;
const passed = { file: 'test/a.test.ts', state: 'passed' } as const;

test('files of a worker that died may run again', () => {
  expect(leftFiles({ states: [passed, left], errors: [died] })).toEqual({ left: [left.file], isAll: true });
});

test.each([
  ['a test failed too', [passed, left, { file: 'test/c.test.ts', state: 'failed' } as const], [died]],
  ['there is another error', [passed, left], [died, { cause: new Error('Unhandled rejection') }]],
  ['there is an error without a cause', [left], [{}]],
])('not if %s', (_, states, errors) => {
  expect(leftFiles({ states, errors })).toEqual({ left: [left.file], isAll: false });
});

test('a run that ended left nothing', () => {
  expect(leftFiles({ states: [passed], errors: [] })).toEqual({ left: [], isAll: false });
});
