// Receipts with a hostile change, given to every face as the bytes of a file: API, command line, Verify page, one-file
// verifier and Python say the same of each. A face that reads a file in another way than the rest is found here.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runReplay, runVerify } from '../../src/cli/receipts.ts';
import { DomainError } from '../../src/core/errors.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { bundleReceipt } from '../../src/protocol/bundle.ts';
import type { RunningService } from '../../src/server.ts';
import { capture, contextOf } from '../cli/captured-terminal.ts';
import { drive, PYTHON } from '../python/python.ts';
import { findEngine, openSession, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';
import { readVerification, uploadFile } from './verification.ts';

const chrome = findEngine('chrome');

type Json = Record<string, unknown>;
/** `valid`: signed by a trusted key, unchanged. `changed`: a check fails. `refused`: no receipt, or not as it came. */
type Outcome = 'valid' | 'unknown' | 'changed' | 'refused';

interface Receipts {
  readonly law: string;
  readonly rod: string;
  /** Of a batch. */
  readonly one: string;
  readonly other: string;
}

type File = string | Uint8Array;
type Case = readonly [name: string, expected: Outcome, file: (receipts: Receipts) => File];

/** The text with one part replaced, which must occur. */
function replaced(text: string, part: string | RegExp, by: string): string {
  const changed = text.replace(part, () => by);
  if (changed === text) throw new Error(`Nothing to replace: ${part}.`);
  return changed;
}
/** The receipt with fields before its own. */
const withFirst = (text: string, fields: string) => replaced(text, '{', `{${fields},`);
const edited = (text: string, edit: (receipt: never) => unknown): string => {
  const receipt = JSON.parse(text) as never;
  return JSON.stringify(edit(receipt) ?? receipt);
};
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const CASES: readonly Case[] = [
  ['as it came', 'valid', ({ law }) => law],
  ['a solver', 'valid', ({ rod }) => rod],
  ['of a batch', 'valid', ({ one }) => one],
  // Fields that nobody signed.
  ['an extra field', 'valid', ({ law }) => withFirst(law, '"extra":{"value":[1,null]}')],
  ['an extra empty name', 'valid', ({ law }) => withFirst(law, '"":0')],
  [
    'an extra note in NFD',
    'valid',
    ({ law }) => withFirst(law, '"zz":"e\u0301\u2028\u0000"'.replace('\u0000', '\\u0000')),
  ],
  ['a field of sweeps', 'changed', ({ law }) => withFirst(law, '"samples":null')],
  ['a finding', 'changed', ({ law }) => withFirst(law, '"locked":null')],
  ['a sealed field that it does not have', 'changed', ({ law }) => withFirst(law, '"phi0":null')],
  ['an extra field in a sealed array', 'valid', ({ rod }) => replaced(rod, '"series":[{', '"series":[{"extra":1,')],
  ['an extra field in the seal', 'changed', ({ law }) => replaced(law, '"seal":{', '"seal":{"extra":1,')],
  ['an extra field in the key', 'changed', ({ law }) => replaced(law, '"public_key":{', '"public_key":{"extra":1,')],
  ['a prototype', 'refused', ({ law }) => withFirst(law, '"__proto__":{"value":1}')],
  [
    'a value of its prototype',
    'refused',
    ({ law }) => replaced(law, /"value":[^,]+,"unit"/, '"__proto__":{"value":625},"unit"'),
  ],
  // Order and form.
  [
    'names in another order',
    'valid',
    ({ law }) => edited(law, (one: Json) => Object.fromEntries(Object.entries(one).reverse())),
  ],
  ['white space', 'valid', ({ law }) => JSON.stringify(JSON.parse(law), null, '\t')],
  [
    'laws in another order',
    'changed',
    ({ law }) => edited(law, (one: { definitions: unknown[] }) => void one.definitions.reverse()),
  ],
  [
    'the chain in another order',
    'changed',
    ({ law }) => edited(law, (one: { operatorChain: unknown[] }) => void one.operatorChain.reverse()),
  ],
  [
    'arrays in another order',
    'changed',
    ({ rod }) => edited(rod, (one: { series: unknown[] }) => void one.series.reverse()),
  ],
  [
    'numbers in another order',
    'changed',
    ({ rod }) => edited(rod, (one: { series: { data: number[] }[] }) => void one.series[0]?.data.reverse()),
  ],
  [
    'stamps in another order',
    'changed',
    ({ law }) => edited(law, (one: { stamps: string[] }) => void one.stamps.reverse()),
  ],
  // Revision and kernel.
  ['no revision', 'refused', ({ law }) => edited(law, ({ revision: _, ...one }: Json) => one)],
  ['a revision that is true', 'refused', ({ law }) => edited(law, (one: Json) => ({ ...one, revision: true }))],
  ['a revision that is a text', 'refused', ({ law }) => edited(law, (one: Json) => ({ ...one, revision: '1' }))],
  ['another revision', 'changed', ({ law }) => edited(law, (one: Json) => ({ ...one, revision: 99 }))],
  [
    'a revision as a decimal',
    'valid',
    ({ law }) =>
      replaced(law, /"revision":(\d+)/, '"revision":1.0e0').replace('1.0e0', `${JSON.parse(law).revision}.0e0`),
  ],
  [
    'the kernel of another solver',
    'changed',
    ({ law, rod }) => edited(law, (one: Json) => ({ ...one, kernel_sha256: JSON.parse(rod).kernel_sha256 })),
  ],
  [
    'a kernel in capitals',
    'refused',
    ({ law }) => edited(law, (one: Json) => ({ ...one, kernel_sha256: String(one.kernel_sha256).toUpperCase() })),
  ],
  ['no runs', 'refused', ({ law }) => edited(law, (one: Json) => ({ ...one, runs: [], outcomes: [] }))],
  [
    'a run twice',
    'changed',
    ({ law }) =>
      edited(law, (one: { runs: Json[]; outcomes: Json[] }) => ({
        ...one,
        runs: [...one.runs, ...one.runs],
        outcomes: [...one.outcomes, ...one.outcomes],
      })),
  ],
  ['a length that is true', 'refused', ({ law }) => replaced(law, /"length":\d+/, '"length":true')],
  ['steps that are true', 'refused', ({ law }) => replaced(law, /"steps":\d+/, '"steps":true')],
  ['a value that is true', 'refused', ({ law }) => edited(law, (one: Json) => ({ ...one, value: true }))],
  // Numbers.
  [
    'the value with more digits',
    'valid',
    ({ law }) => replaced(law, /"value":625,/, '"value":6.25000000000000000000000000e2,'),
  ],
  ['an extra −0', 'valid', ({ law }) => withFirst(law, '"extra":-0')],
  ['−0 for a sealed 0', 'changed', ({ rod }) => replaced(rod, '"drift":0,', '"drift":-0,')],
  ['−0 for a 0 of a kernel', 'changed', ({ rod }) => replaced(rod, '"ry":0,', '"ry":-0,')],
  ['−0 for a 0 that a kernel left', 'changed', ({ rod }) => replaced(rod, '"info":0,', '"info":-0,')],
  ['−0 in an array', 'changed', ({ rod }) => replaced(rod, '"data":[0,', '"data":[-0,')],
  ['−0.0 in an array', 'changed', ({ rod }) => replaced(rod, '"data":[0,', '"data":[-0.0,')],
  ['0.0 in an array', 'valid', ({ rod }) => replaced(rod, '"data":[0,', '"data":[0e5,')],
  ['an infinite number', 'refused', ({ law }) => withFirst(law, '"extra":1e400')],
  ['NaN', 'refused', ({ law }) => withFirst(law, '"extra":NaN')],
  ['a number that underflows', 'refused', ({ law }) => withFirst(law, '"extra":1e-400')],
  ['an integer beyond 2^53', 'refused', ({ law }) => withFirst(law, '"extra":9007199254740993')],
  ['an integer that a double holds', 'valid', ({ law }) => withFirst(law, '"extra":9007199254740994')],
  ['an integer of 400 digits', 'refused', ({ law }) => withFirst(law, `"extra":1${'0'.repeat(400)}`)],
  ['an integer of 300 digits', 'refused', ({ law }) => withFirst(law, `"extra":1${'0'.repeat(299)}`)],
  ['a decimal of 2,000 digits', 'valid', ({ law }) => withFirst(law, `"extra":0.${'3'.repeat(2000)}`)],
  // Arrays in other forms.
  ['an array of texts', 'changed', ({ rod }) => replaced(rod, '"data":[0,', '"data":["0",')],
  ['an array with null', 'changed', ({ rod }) => replaced(rod, '"data":[0,', '"data":[null,')],
  ['an array with true', 'changed', ({ rod }) => replaced(rod, '"data":[0,', '"data":[false,')],
  [
    'data that are null',
    'changed',
    ({ rod }) =>
      edited(rod, (one: { series: Json[] }) => ({ ...one, series: one.series.map((a) => ({ ...a, data: null })) })),
  ],
  [
    'no data',
    'valid',
    ({ rod }) =>
      edited(rod, (one: { series: Json[] }) => ({ ...one, series: one.series.map(({ data: _, ...a }) => a) })),
  ],
  [
    'data and bytes',
    'changed',
    ({ rod }) =>
      edited(rod, (one: { series: Json[] }) => ({ ...one, series: one.series.map((a) => ({ ...a, base64: null })) })),
  ],
  ['series that are null', 'changed', ({ rod }) => edited(rod, (one: Json) => ({ ...one, series: null }))],
  // Texts.
  ['a name twice', 'refused', ({ law }) => withFirst(law, '"value":1')],
  ['a name twice, once with an escape', 'refused', ({ law }) => withFirst(law, '"\\u0076alue":1')],
  ['a name twice in a note', 'refused', ({ law }) => withFirst(law, '"extra":{"a":1,"a":1}')],
  ['names that differ in normalisation', 'valid', ({ law }) => withFirst(law, '"\u00e9":1,"e\u0301":2')],
  ['a name with an escape', 'valid', ({ law }) => replaced(law, '"value":', '"\\u0076alue":')],
  ['a sealed text with an escape', 'valid', ({ law }) => replaced(law, '"unit":"J"', '"unit":"\\u004a"')],
  ['a unit with an invisible sign', 'changed', ({ law }) => replaced(law, '"unit":"J"', '"unit":"J\u200b"')],
  ['a unit in a form of compatibility', 'changed', ({ law }) => replaced(law, '"unit":"J"', '"unit":"\uff2a"')],
  ['a lone surrogate', 'refused', ({ law }) => withFirst(law, '"extra":"\\udc00"')],
  ['a lone surrogate in a name', 'refused', ({ law }) => withFirst(law, '"\\udc00":1')],
  ['a pair of surrogates', 'valid', ({ law }) => withFirst(law, '"extra":"\\ud83d\\ude00"')],
  ['a control character in a text', 'refused', ({ law }) => withFirst(law, '"extra":"\u0001"')],
  ['a byte order mark', 'valid', ({ law }) => bytes([0xef, 0xbb, 0xbf], law)],
  ['two byte order marks', 'refused', ({ law }) => bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], law)],
  ['UTF-16', 'refused', ({ law }) => bytes([0xff, 0xfe], [...Buffer.from(law, 'utf16le')])],
  ['no UTF-8', 'refused', ({ law }) => bytes('{"extra":"', [0xc3, 0x28], '",', law.slice(1))],
  ['a surrogate in UTF-8', 'refused', ({ law }) => bytes('{"extra":"', [0xed, 0xa0, 0x80], '",', law.slice(1))],
  ['a comma at the end', 'refused', ({ law }) => law.replace(/\}\s*$/, ',}')],
  ['two receipts', 'refused', ({ law }) => law + law],
  ['a list', 'refused', ({ law }) => `[${law}]`],
  ['deep nesting', 'refused', ({ law }) => withFirst(law, `"extra":${'['.repeat(70)}${']'.repeat(70)}`)],
  ['nesting of 32', 'refused', ({ law }) => withFirst(law, `"extra":${'['.repeat(31)}${']'.repeat(31)}`)],
  ['nesting of 31', 'valid', ({ law }) => withFirst(law, `"extra":${'['.repeat(30)}${']'.repeat(30)}`)],
  // The seal of a batch.
  [
    'a statement of another receipt',
    'changed',
    ({ one, other }) => edited(one, (a: Json) => ({ ...a, seal: JSON.parse(other).seal })),
  ],
  [
    'a seal of another receipt',
    'changed',
    ({ one, law }) => edited(one, (a: Json) => ({ ...a, seal: JSON.parse(law).seal })),
  ],
  ['another leaf', 'changed', ({ one }) => replaced(one, /"index":\d+/, '"index":31')],
  [
    'a leaf beyond 32 bits',
    'changed',
    ({ one }) => replaced(one, /"index":(\d+)/, `"index":${2 ** 32 + Number(/"index":(\d+)/.exec(one)?.[1])}`),
  ],
  ['a negative leaf', 'changed', ({ one }) => replaced(one, /"index":\d+/, '"index":-1')],
  ['half a leaf', 'changed', ({ one }) => replaced(one, /"index":\d+/, '"index":0.5')],
  [
    'a leaf as a decimal',
    'valid',
    ({ one }) => replaced(one, /"index":\d+/, `"index":${/"index":(\d+)/.exec(one)?.[1]}.0`),
  ],
  [
    'a shorter path',
    'changed',
    ({ one }) => edited(one, (a: { seal: { inclusion: { path: string[] } } }) => void a.seal.inclusion.path.pop()),
  ],
  [
    'a longer path',
    'changed',
    ({ one }) =>
      edited(one, (a: { seal: { inclusion: { path: string[] } } }) => void a.seal.inclusion.path.push('0'.repeat(64))),
  ],
  [
    'a path in another order',
    'changed',
    ({ one }) => edited(one, (a: { seal: { inclusion: { path: string[] } } }) => void a.seal.inclusion.path.reverse()),
  ],
  [
    'a path in capitals',
    'changed',
    ({ one }) =>
      edited(one, (a: { seal: { inclusion: { path: string[] } } }) => {
        a.seal.inclusion.path = a.seal.inclusion.path.map((hash) => hash.toUpperCase());
      }),
  ],
  [
    'a batch as a statement',
    'changed',
    ({ one }) =>
      edited(one, (a: { seal: Json }) => {
        const { statement: _, inclusion: __, ...seal } = a.seal;
        return { ...a, seal };
      }),
  ],
  [
    'a batch by the type of a statement',
    'changed',
    ({ one }) => replaced(one, 'application/vnd.svc.seal-batch+json', 'application/vnd.in-toto+json'),
  ],
  [
    'a statement without padding',
    'changed',
    ({ law }) =>
      edited(law, (a: { seal: { payload: string } }) => {
        a.seal.payload = `${a.seal.payload.replace(/=*$/, '')}\n`;
      }),
  ],
  [
    'two signatures',
    'changed',
    ({ law }) =>
      edited(law, (a: { seal: { signatures: unknown[] } }) => void a.seal.signatures.push(a.seal.signatures[0])),
  ],
];

const hasMark = (content: Uint8Array) => content[0] === 0xef && content[1] === 0xbb;

/** A verification that the test has not read. */
const READ = '[data-verdict][aria-busy=false]:not([data-read])';

const keptIn = (verdict: unknown): Outcome =>
  verdict === 'good' || verdict === 'partial' ? 'valid' : verdict === 'unknown_key' ? 'unknown' : 'changed';

describe.skipIf(chrome === undefined || PYTHON === undefined)('all faces say the same of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-agreement-'));
  let service: RunningService;
  let session: Session;
  let key: string;
  let keysPath: string;
  let receipts: Receipts;
  let [portal, verifier]: Page[] = [];

  const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const post = async (path: string, body: unknown) =>
    (
      await fetch(`${service.url}/api/svc/${path}`, { method: 'POST', headers: headers(), body: JSON.stringify(body) })
    ).text();

  const pathLength = (text = '{}'): number => JSON.parse(text).seal?.inclusion?.path.length ?? 0;

  beforeAll(async () => {
    service = await openPortalService();
    session = await openSession('chrome', chrome ?? '', service.url);
    key = (await service.services.keys.mintDemo()).key;
    keysPath = join(folder, 'keys.json');
    writeFileSync(keysPath, await (await fetch(`${service.url}/api/.well-known/jwks.json`)).text());
    const law = { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 25 } };
    // Those of one turn of the event loop share a signature; a path of two hashes needs three of them.
    let batched: string[] = [];
    for (let tries = 0; tries < 20 && (batched.length < 2 || pathLength(batched[0]) < 2); tries++) {
      const batch = await Promise.all(
        Array.from({ length: 24 }, (_, i) => post('compute', { ...law, inputs: { m: 3 + i, v: 25 } })),
      );
      batched = batch.filter((text) => text.includes('seal-batch')).sort((a, b) => pathLength(b) - pathLength(a));
    }
    const [one = '', other = ''] = batched;
    receipts = {
      law: await post('compute', law),
      rod: await post('heat', { dim: 1, nx: 16, steps: 4, dt: 1e-3 }),
      one,
      other,
    };
    expect(other).not.toBe('');
    expect(pathLength(one)).toBeGreaterThan(1);
    portal = await session.context.newPage();
    await portal.goto(`${service.url}/verify`);
    const path = join(folder, 'verifier.html');
    writeFileSync(path, await (await fetch(`${service.url}/verifier.html`)).text());
    verifier = await session.context.newPage();
    await verifier.goto(pathToFileURL(path).href);
    await uploadFile(verifier, keysPath);
    await verifier.waitForSelector('.pin-list');
  });
  afterAll(async () => {
    await session.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const byCommand = async (run: typeof runVerify, path: string): Promise<Outcome> => {
    const { terminal } = capture(false);
    try {
      await run(contextOf(terminal), path, { jwks: keysPath });
      const code = Number(process.exitCode ?? 0);
      return code === 0 ? 'valid' : code === 5 ? 'unknown' : 'changed';
    } catch (error) {
      if (error instanceof DomainError) return error.code === 'KERNEL_UNAVAILABLE' ? 'changed' : 'refused';
      throw error;
    } finally {
      process.exitCode = undefined;
    }
  };
  const byNode = async (path: string, body: Uint8Array<ArrayBuffer>): Promise<Outcome> => {
    const response = await fetch(`${service.url}/api/svc/${path}`, { method: 'POST', headers: headers(), body });
    const answer = (await response.json()) as {
      readonly code?: string;
      readonly verdict?: { readonly verdict: string };
    };
    if (response.status >= 500) throw new Error(`${path} answered ${response.status}: ${answer.code}`);
    return response.ok ? keptIn(answer.verdict?.verdict) : 'refused';
  };
  const inPage = async (page: Page | undefined, path: string): Promise<Outcome> => {
    if (page === undefined) throw new Error('The page is not open.');
    // Selectors are waited for by frames, which a page in the background has none of.
    await page.bringToFront();
    await page.evaluate(() => document.querySelector('.verify-result .notice')?.setAttribute('data-read', ''));
    await uploadFile(page, path);
    const found = await page.waitForSelector(`.verify-result .notice:not([data-read]), ${READ}`);
    if (await found?.evaluate((element) => element.classList.contains('notice'))) return 'refused';
    return keptIn((await readVerification(page)).verdict);
  };
  const EXITS: ReadonlyMap<unknown, Outcome> = new Map([
    [0, 'valid'],
    [2, 'refused'],
    [4, 'changed'],
    [5, 'unknown'],
  ] as const);
  const pathOf = (name: string) => join(folder, `${CASES.findIndex(([one]) => one === name)}.json`);
  /** By case; an interpreter takes longer to start than to check all. */
  let byPython: ReadonlyMap<string, Outcome | undefined>;
  beforeAll(async () => {
    for (const [name, , fileOf] of CASES) writeFileSync(pathOf(name), fileOf(receipts));
    const jwks = JSON.parse(readFileSync(keysPath, 'utf8')) as unknown;
    const said = await drive(CASES.map(([name]) => ({ do: 'verify', path: pathOf(name), jwks })));
    byPython = new Map(CASES.map(([name], at) => [name, EXITS.get(said[at]?.exit)]));
  });

  const say = async (path: string) => ({
    'svc verify': await byCommand(runVerify, path),
    'Verify page': await inPage(portal, path),
    'one-file verifier': await inPage(verifier, path),
  });
  const same = (outcomes: object, expected: Outcome) =>
    Object.fromEntries(Object.keys(outcomes).map((face) => [face, expected]));

  test.each(CASES)('%s: %s', async (name, expected) => {
    const path = pathOf(name);
    const content = readFileSync(path);
    const outcomes = {
      ...(await say(path)),
      'svc replay': await byCommand(runReplay, path),
      // A mark at the start of a file cannot stand inside of a body.
      'POST verify': await byNode('verify', bytes('{"receipt":', [...content.subarray(hasMark(content) ? 3 : 0)], '}')),
      'POST replay': await byNode('replay', content),
      Python: byPython.get(name),
    };
    expect(outcomes, name).toEqual(same(outcomes, expected));
  });

  /** Files around a receipt, which the node does not take. */
  const FILES: readonly (readonly [name: string, expected: Outcome, file: () => Promise<object> | object])[] = [
    ['an answer of a stored run', 'valid', () => ({ ok: true, envelope: JSON.parse(receipts.law) })],
    ['an envelope in a file of another format', 'valid', () => ({ format: 'x', envelope: JSON.parse(receipts.law) })],
    ['an envelope beside a seal', 'refused', () => ({ seal: null, envelope: JSON.parse(receipts.law) })],
    ['a list of envelopes', 'refused', () => ({ envelope: [JSON.parse(receipts.law)] })],
    ['a bundle', 'valid', () => bundle()],
    ['a bundle with a second receipt', 'refused', async () => ({ ...(await bundle()), value: 1 })],
    [
      'a bundle with the kernel of a solver',
      'changed',
      async () => ({ ...(await bundle()), kernel: await kernelOf('heat') }),
    ],
    [
      'a bundle that names another kernel',
      'refused',
      async () => ({ ...(await bundle()), kernel: { ...(await kernelOf('expression')), sha256: '0'.repeat(64) } }),
    ],
  ];
  const kernelOf = async (slug: string) => {
    const { sha256, bytes: wasm } = await loadKernel(slug);
    return { slug, sha256, wasm: Buffer.from(wasm).toString('base64') };
  };
  const bundle = async () => bundleReceipt(JSON.parse(receipts.law), await loadKernel('expression'));

  test.each(FILES)('%s: %s', async (_, expected, fileOf) => {
    const path = join(folder, 'file.json');
    writeFileSync(path, JSON.stringify(await fileOf()));
    const jwks = JSON.parse(readFileSync(keysPath, 'utf8')) as unknown;
    const [said] = await drive([{ do: 'verify', path, jwks }]);
    const outcomes = { ...(await say(path)), Python: EXITS.get(said?.exit) };
    expect(outcomes).toEqual(same(outcomes, expected));
  });
});
