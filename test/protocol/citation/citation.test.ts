// Citations of receipts: what they state, in BibTeX and CSL JSON, also of hostile texts.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { escapeBibtex, toBibtex } from '../../../src/protocol/citation/bibtex.ts';
import { type CitationContext, citationOf } from '../../../src/protocol/citation/citation.ts';
import { toCslJson } from '../../../src/protocol/citation/csl-json.ts';
import { receiptInLink } from '../../../src/protocol/citation/receipt-link.ts';
import { citedSubject } from '../../../src/protocol/citation/subject.ts';
import { receiptSha256 } from '../../../src/protocol/seal.ts';
import type { Untrusted } from '../../../src/protocol/untrusted.ts';
import { registryKnowledge } from '../../../src/protocol/words/registry-knowledge.ts';
import { compute, envelopeOf, signer, solve } from '../sealed-case.ts';
import { readBibtex } from './bibtex-reader.ts';

const RUN_ID = '0d9f2b3e-1c4a-4f0e-9d3a-5b6c7d8e9f00';
const CONTEXT: CitationContext = {
  version: '0.1.0',
  address: 'https://svc.example.org/x?y#z',
  publisher: 'svc.example.org',
};

const knowledge = registryKnowledge(undefined, () => undefined);
const cite = (envelope: Untrusted, context: Partial<CitationContext> = {}) =>
  citationOf(envelope, { ...CONTEXT, subject: citedSubject(envelope, knowledge), ...context });

let kinetic: Untrusted;
let rod: Untrusted;
beforeAll(async () => {
  const request = { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 90 }, units: { v: 'km/h' } };
  kinetic = { ...envelopeOf(await compute({ ...request, uncertainties: { v: 1 } })) };
  rod = { ...envelopeOf(await solve('heat', { dim: 1, nx: 16 })) };
});

describe('a citation states', () => {
  test('what was computed, the value, the kernel, the key, and the time of the stamp in UTC', () => {
    const { key, title, version, publisher, date, url, note, sha256 } = cite(kinetic);
    expect(sha256).toBe(receiptSha256(kinetic));
    expect(key).toBe(`svc-${sha256.slice(0, 16)}`);
    expect(title).toBe('Translational kinetic energy (CM9): 625 ± 28 J');
    expect([version, publisher]).toEqual([`compute revision ${kinetic.revision}`, 'svc.example.org']);
    // Stamp PULSE of the case: 1,790,000,000.346678901 s after the epoch.
    expect(date).toEqual({ year: 2026, month: 9, day: 21, text: '2026-09-21 14:13:20 UTC' });
    expect(url).toBe(`https://svc.example.org/verify?receipt=${sha256}`);
    for (const part of [sha256, kinetic.kernel_sha256, signer.publicKey.kid, 'value 625 ± 27.7', 'with svc 0.1.0'])
      expect(note).toContain(part);
  });

  test('the name of a solver, and no publisher, URL or name that nobody gave', () => {
    expect(cite(rod).title).toMatch(/^Heat conduction in a rod or plate: 0\.\d+ ± 0\.\d+ T$/);
    const bare = citationOf(rod, { version: '0.1.0' });
    expect([bare.publisher, bare.url, bare.title.split(':')[0]]).toEqual([
      'svc',
      undefined,
      'Computation by solver heat',
    ]);
    for (const text of [toBibtex(bare), toCslJson(bare)]) expect(text).not.toMatch(/url|author/i);
  });

  test('that a result did not converge, and that a law is not the registered one', () => {
    expect(cite({ ...rod, converged: false }).note).toContain('; not converged;');
    const definitions = (kinetic.definitions as Untrusted[]).map((one) =>
      one.id === 'CM9' ? { ...one, equation: 'K = m*v^2' } : one,
    );
    expect(cite({ ...kinetic, definitions }).title).toContain('CM9: K = m*v^2 (not as registered)');
  });

  test('other keys for other receipts', () => {
    expect(cite({ ...kinetic, value: 626 }).key).not.toBe(cite(kinetic).key);
    expect(cite({ ...kinetic, notes: ['words'] }).key).toBe(cite(kinetic).key);
  });

  test('no date of stamps that are none', () => {
    for (const stamps of [[], ['x'], Array(7).fill('-1'), [...Array(6).fill('2'), '1']]) {
      const citation = cite({ ...kinetic, stamps });
      expect(citation.date).toBeUndefined();
      expect(toBibtex(citation)).not.toMatch(/^ {2}(year|month|day)/m);
      expect(JSON.parse(toCslJson(citation))[0].issued).toBeUndefined();
    }
  });
});

test('what is no sealed receipt is refused by its field', () => {
  const { seal: _, ...unsealed } = kinetic;
  expect(() => cite(unsealed)).toThrow(/seal is missing/);
  expect(() => cite({ value: 1 })).toThrow(/without a seal/);
  expect(() => cite({})).toThrow(/names its solver/);
});

test('the link opens the receipt that it names, without a password in the address of the node', () => {
  const { url = '', sha256 } = cite({ ...kinetic, run_id: RUN_ID }, { address: 'https://me:secret@svc.example.org' });
  expect(url).not.toContain('secret');
  expect(receiptInLink(new URL(url).search)).toEqual({ sha256, runId: RUN_ID });
  expect(receiptInLink(`?receipt=${sha256}&run=../keys`)).toEqual({ sha256, runId: undefined });
  for (const search of ['', '?receipt=', `?receipt=${sha256}0`, '?receipt=<b>'])
    expect(receiptInLink(search)).toBeUndefined();
  expect(cite({ ...kinetic, run_id: '"><b>' }).url).toMatch(/\?receipt=[0-9a-f]{64}$/);
});

test('CSL JSON 1.0.2: a data set with its date in parts', () => {
  const { sha256, note } = cite(kinetic);
  expect(JSON.parse(toCslJson(cite(kinetic)))).toEqual([
    {
      id: `svc-${sha256.slice(0, 16)}`,
      type: 'dataset',
      title: 'Translational kinetic energy (CM9): 625 ± 28 J',
      publisher: 'svc.example.org',
      version: `compute revision ${kinetic.revision}`,
      issued: { 'date-parts': [[2026, 9, 21]] },
      URL: `https://svc.example.org/verify?receipt=${sha256}`,
      note,
    },
  ]);
});

describe('BibTeX', () => {
  test('has a field for each statement, whose text is read back as it was', () => {
    const citation = cite(kinetic);
    expect(readBibtex(toBibtex(citation))).toEqual({
      type: 'misc',
      key: citation.key,
      fields: {
        title: citation.title,
        publisher: 'svc.example.org',
        version: citation.version,
        year: '2026',
        month: 'sep',
        day: '21',
        url: citation.url,
        note: citation.note,
        key: 'svc.example.org',
      },
    });
  });

  test('escapes what TeX would obey, and keeps other letters', () => {
    const escaped = ['\\textbraceleft', '\\textbraceright', '\\textbackslash', '\\textasciitilde', '\\textasciicircum'];
    expect(escapeBibtex('{}\\~^')).toBe(escaped.map((command) => `{${command}}`).join(''));
    expect(escapeBibtex('%&#_$')).toBe('\\%\\&\\#\\_\\$');
    expect(escapeBibtex('Ω±µm·s⁻¹ “é”')).toBe('Ω±µm·s⁻¹ “é”');
  });

  test('no text of a stranger ends its field or starts a command', () => {
    const label = fc.string({
      unit: fc.constantFrom(...'{}%&#_$\\~^"@,=\n\r ab±', '\u202e', '\\input{/x}'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(label, label, label, (unit, kid, subject) => {
        const hostile = { ...kinetic, unit, public_key: { ...(kinetic.public_key as Untrusted), kid } };
        const citation = cite(hostile, { subject, publisher: unit });
        const { key, fields } = readBibtex(toBibtex(citation));
        expect([key, fields.title, fields.publisher, fields.note]).toEqual([
          citation.key,
          citation.title,
          citation.publisher,
          citation.note,
        ]);
        expect(Object.keys(fields)).toHaveLength(9);
        expect(JSON.parse(toCslJson(citation))[0].title).toBe(citation.title);
      }),
    );
  });
});
