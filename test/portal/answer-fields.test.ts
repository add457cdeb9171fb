// Fields that the simulator asks for when it answers an activity.

import { expect, test } from 'vitest';
import { answerFields } from '../../src/portal/templates/answer-fields.ts';

const RATED = { rate: 'number', status: 'integer', body: 'string' } as const;
const LAW = { into: 'measured', on_error: 'failed', fields: [] };
const REQUEST = { into: 'rated', on_error: 'failed', fields: ['rate'] };

test.each([
  ['a response gives what is read from it', RATED, 'rated', [LAW, REQUEST], { rate: 'number' }],
  ['a law is computed', { value: 'number', unit: 'string' }, 'measured', [LAW], {}],
  ['a failure gives its code', { code: 'string', tries: 'integer' }, 'failed', [LAW], { code: 'string' }],
  ['nothing is asked for without an activity', RATED, 'rated', [LAW], {}],
] as const)('%s', (_, declared, event, waiting, fields) => {
  expect(answerFields(declared, event, waiting)).toEqual(fields);
});
