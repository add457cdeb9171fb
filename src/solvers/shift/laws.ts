// The law of a series: computed once.

import { isRecord } from '../../core/record.ts';
import { assertNotGiven, type LawRequest, type SolverLaws } from '../computed-laws.ts';
import { DEFAULT_DOMAIN, inputs as schema } from './inputs.ts';

export const laws: SolverLaws = {
  requests(body) {
    assertNotGiven('computed', body.computed);
    const fields = schema.pick({ domain: true, inputs: true }).safeParse({ domain: body.domain, inputs: body.inputs });
    // What is malformed is refused where all fields are read.
    return fields.success ? [requestOf(fields.data.domain, fields.data.inputs ?? {})] : [];
  },
  bind: (body, [computed]) => (computed === undefined ? body : { ...body, computed }),
  computed(input) {
    const { computed, domain, inputs = {} } = schema.parse(input);
    return computed === undefined ? [] : [{ law: requestOf(domain, inputs), computed }];
  },
};

const requestOf = (domain: string, inputs: unknown): LawRequest => ({
  path: '',
  label: 'The law',
  domain: domain === '' ? DEFAULT_DOMAIN : domain,
  inputs: isRecord(inputs) ? (inputs as Readonly<Record<string, number>>) : {},
});
