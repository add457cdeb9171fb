import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/sha256.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import type { SealedDefinition } from '../../src/operators/definition.ts';
import { bundleReceipt } from '../../src/protocol/bundle.ts';
import { sealEnvelope } from '../../src/protocol/seal.ts';
import type { RunningService } from '../../src/server.ts';
import { computeWith, envelopeOf, signer, signerOf } from '../protocol/sealed-case.ts';
import { collectErrors, findEngine, openSession, type Session } from './browser.ts';
import { openPortalService } from './portal-service.ts';
import { pinKey, readTitle, readVerification, uploadFile } from './verification.ts';

const chrome = findEngine('chrome');

type Receipt = Record<string, unknown>;

/** The fields of an envelope that a replay recomputes, as an unsealed result holds them. */
function pureFieldsOf(envelope: Receipt): Receipt {
  const issued = ['ok', 'R_t', 'phase', 'svcond', 'masterSum', 'E', 'stamps', 'alpha_eff', 'cko'].concat([
    'svcProof',
    'version',
    'keyPrefix',
    'epoch',
    'notes',
    'billing',
    'run_id',
    'public_key',
    'seal',
  ]);
  const { rtCorrelation: _, ...verification } = envelope.verification as Receipt;
  return Object.fromEntries(Object.entries({ ...envelope, verification }).filter(([name]) => !issued.includes(name)));
}

/** The outcome of every claim of a replay. */
const REPLAYED = { kernel: 'holds', plan: 'holds', answer: 'holds', stamps: 'holds', laws: 'holds' };
const SIGNED = { keyid: 'holds', signature: 'holds', statement: 'holds' };

/** Seals a changed receipt with the forger's own key. */
function forgedWith(envelope: Receipt, change: Receipt): Receipt {
  const forger = signerOf(66);
  const { seal: _, ...body }: Receipt = { ...envelope, ...change, public_key: forger.publicKey };
  return { ...body, seal: sealEnvelope(body, forger) };
}

describe.skipIf(chrome === undefined)('verifying in the browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-receipts-'));
  let service: RunningService;
  let session: Session;
  let receipt: Receipt;
  /** Receipt of operators; includes their definitions. */
  let computed: Receipt;
  /** Receipt of a law with an input in another unit than the law declares. */
  let kinetic: Receipt;
  /** Fingerprint of the key of the service. */
  let kid: string;
  beforeAll(async () => {
    service = await openPortalService();
    session = await openSession('chrome', chrome ?? '', service.url);
    const { key } = await service.services.keys.mintDemo();
    const post = async (route: string, body: unknown) => {
      const response = await fetch(`${service.url}/api/svc/${route}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Receipt;
    };
    receipt = await post('schrodinger', { N: 500, potential: 'morse' });
    computed = await post('compute', {
      domain: 'Chemical Engineering',
      operators: ['CHE17'],
      inputs: { T0: 80, kx: 2.5, ky: 1.75, x: 37, y: 0.6, alpha: 1.11e-4, t: 320 },
      units: { x: 'cm' },
      uncertainties: { x: 1 },
    });
    kinetic = await post('compute', {
      domain: 'CM',
      operators: ['CM9'],
      inputs: { m: 2, v: 90 },
      units: { v: 'km/h' },
    });
  });
  beforeAll(() => {
    kid = String((receipt.public_key as Receipt).kid);
  });
  afterAll(async () => {
    await session.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const check = async (page: Page, name: string, content: unknown) => {
    await uploadFile(page, write(name, JSON.stringify(content)));
    return readVerification(page);
  };
  const openPage = async (url = `${service.url}/verify`) => {
    const page = await session.context.newPage();
    const errors = collectErrors(page);
    await page.goto(url);
    return { page, errors };
  };

  test('every claim of a genuine receipt holds', async () => {
    const { page, errors } = await openPage();
    const { verdict, claims } = await check(page, 'genuine.json', receipt);
    expect(verdict).toBe('good');
    expect(claims).toEqual({ ...SIGNED, 'key pinned': 'holds', hmac: 'holds', ...REPLAYED });
    expect(errors).toEqual([]);
    await page.close();
  });

  /** What the page shows, by label: the text of the receipt, and what the page adds. */
  const readLines = async (page: Page) => {
    const rows = await page.$$eval('.receipt-lines > div', (lines) =>
      lines.map((line) => [
        line.querySelector('dt')?.textContent ?? '',
        [line.querySelector('.said')?.textContent ?? '', line.querySelector('.added')?.textContent ?? ''],
      ]),
    );
    return Object.fromEntries(rows) as Record<string, [string, string]>;
  };
  const expectKinetic = (lines: Record<string, [string, string]>) =>
    expect(lines).toMatchObject({
      Law: ['CM9', expect.stringMatching(/^Translational kinetic energy; as registered in this version$/)],
      Equation: ['K = m*v^2/2', ''],
      'Input m': ['2 kg', 'mass'],
      'Input v': ['90 km/h', '= 25 m/s; speed'],
      Result: [expect.stringMatching(/^K = 625 ± .* J$/), expect.stringContaining('kinetic energy')],
      Date: [expect.stringMatching(/^20\d\d-.* UTC$/), "by the signer's clock"],
      'Signed by': [`key ${(kinetic.public_key as Receipt).kid}`, expect.any(String)],
    });

  test('a receipt is shown in words: law, equation, inputs with units, result, date and signer', async () => {
    const { page, errors } = await openPage();
    expect((await check(page, 'kinetic.json', kinetic)).verdict).toBe('good');
    const lines = await readLines(page);
    expectKinetic(lines);
    expect(lines['Signed by']?.[1]).toBe('a key of this node');
    expect(await page.$eval('.receipt-coverage', (element) => element.textContent)).toContain(
      'The signature covers this text, but not what the reading program adds.',
    );
    expect(await page.$eval('.verdict-word', (element) => element.textContent)).toBe('valid, bits equal');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a changed unit is not shown as signed', async () => {
    const { page } = await openPage();
    expect((await check(page, 'unit.json', { ...kinetic, units: { v: 'm/s' } })).verdict).toBe('bad');
    const lines = await readLines(page);
    expect(lines['Signed by']).toBeUndefined();
    expect(lines['Names as signer']?.[1]).toBe('not proved');
    expect(await page.$eval('.receipt-coverage', (element) => element.textContent)).toContain(
      'No valid signature covers this text',
    );
    await page.close();
  });

  test('a hostile receipt is shown as text', async () => {
    const { page, errors } = await openPage();
    const attack = '<img src=x onerror="document.title=1">\u202e\u001b[2J';
    const hostile = { ...kinetic, keyPrefix: attack, unit: attack, units: { v: attack }, notes: [attack] };
    expect((await check(page, 'hostile.json', hostile)).verdict).toBe('bad');
    expect(await page.$$('.verify-result img')).toHaveLength(0);
    const text = (await page.$eval('.verify-result', (element) => element.textContent)) ?? '';
    expect(text).toContain('<img src=x onerror="document.title=1">\\u{202e}\\u{1b}[2J');
    expect(text).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
    expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
    await page.close();
  });

  test('a result that nobody signed is recomputed, and never called signed', async () => {
    const { page, errors } = await openPage();
    const pure = pureFieldsOf(kinetic);
    const { verdict, claims } = await check(page, 'result.json', { format: 'svc-result/2', result: pure });
    const { stamps: _, ...recomputed } = REPLAYED;
    expect([verdict, claims]).toEqual(['unsigned', { arrays: 'holds', ...recomputed }]);
    expect(await page.$eval('.verdict-word', (element) => element.textContent)).toBe('not signed, bits equal');
    expect((await readLines(page))['Signed by']).toEqual(['nobody', '']);
    const changed = { format: 'svc-result/2', result: { ...pure, value: 626 } };
    expect((await check(page, 'changed-result.json', changed)).verdict).toBe('bad');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the page lists every field of a receipt that it sends', async () => {
    const { page } = await openPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/svc/verify')) sent.push(request.postData() ?? '{}');
    });
    await page.waitForSelector('.drop-more');
    const notice = (await page.$eval('.drop-more', (element) => element.textContent)) ?? '';
    await check(page, 'sent.json', receipt);
    const names = sent.flatMap((body) => Object.keys(JSON.parse(body)));
    expect(names.length).toBeGreaterThan(5);
    const listed = notice.toLowerCase().replaceAll(' ', '');
    expect(names.filter((name) => !listed.includes(name.toLowerCase()))).toEqual([]);
    await page.close();
  });

  test('every claim of a receipt of operators holds without the registry', async () => {
    const { page, errors } = await openPage();
    expect((await check(page, 'computed.json', computed)).verdict).toBe('good');
    const { verdict, claims } = await check(page, 'doubled.json', { ...computed, uncertainties: { x: 2 } });
    expect(verdict).toBe('bad');
    // Rows of the plan lie at the edges of the interval that the uncertainty states.
    expect(claims).toMatchObject({ statement: 'fails', plan: 'fails', answer: 'not checked' });
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a changed value fails in statement, HMAC and answer, and the first difference is shown', async () => {
    const { page } = await openPage();
    const changed = { ...receipt, value: Number(receipt.value) + 1e-9 };
    const { verdict, claims } = await check(page, 'changed.json', changed);
    expect(verdict).toBe('bad');
    expect(claims).toMatchObject({
      signature: 'holds',
      statement: 'fails',
      hmac: 'fails',
      kernel: 'holds',
      answer: 'fails',
    });
    expect(await page.$eval('.difference', (element) => element.textContent)).toContain('value');
    await page.close();
  });

  test('a receipt signed by another node is detected by its key', async () => {
    const other = await openPortalService();
    try {
      const { page } = await openPage(`${other.url}/verify`);
      const { verdict, claims } = await check(page, 'foreign.json', receipt);
      expect(verdict).toBe('bad');
      expect(claims).toMatchObject({
        signature: 'holds',
        statement: 'holds',
        'key pinned': 'fails',
        hmac: 'fails',
        ...REPLAYED,
      });
      await page.close();
    } finally {
      await other.close();
    }
  });

  test.each([
    ['noise', '\u0000\u0001 not a receipt', 'not JSON'],
    ['a list', '[1, 2, 3]', 'not contain a JSON object'],
    ['an empty object', '{}', 'neither the solver, value and seal of a receipt nor the format of a bundle'],
    ['another object', '{"hello": "world"}', 'neither the solver, value and seal of a receipt'],
    ['an incomplete receipt', '{"solver": "heat", "value": 1, "seal": {}}', '64 lower-case hex digits'],
    ['an incomplete bundle', '{"format": "svc-bundle/1", "kind": "nothing"}', 'is expected'],
    ['a deeply nested value', `{"value": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'nested deeper than 64 levels'],
    [
      'an extremely nested value',
      `{"value": ${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
      'nested deeper than 64 levels',
    ],
  ])('%s is rejected with a clear message, and the page stays usable', async (name, content, message) => {
    const { page } = await openPage();
    await uploadFile(page, write(`${name}.json`, content));
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain(message);
    expect(await page.$eval('.notice-title', (title) => title.textContent)).toBe(
      'This is neither a receipt nor a bundle.',
    );
    expect((await check(page, 'after.json', receipt)).verdict).toBe('good');
    await page.close();
  });

  test('a file of 100 MB is rejected without being read', async () => {
    const path = write('large.json', '{');
    truncateSync(path, 100 * 1024 * 1024);
    const { page } = await openPage();
    await uploadFile(page, path);
    await page.waitForSelector('.notice-error');
    expect(await page.$eval('.notice-error', (notice) => notice.textContent)).toContain('105 MB');
    await page.close();
  });

  describe('the downloaded verifier, opened from disk and offline', () => {
    const openVerifier = async () => {
      const answer = await fetch(`${service.url}/verifier.html`);
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      const path = write('svc-verifier.html', await answer.text());
      const page = await session.context.newPage();
      await page.setOfflineMode(true);
      const requestedUrls: string[] = [];
      page.on('request', (request) => requestedUrls.push(request.url()));
      const errors = collectErrors(page);
      await page.goto(pathToFileURL(path).href);
      return { page, requestedUrls, errors, path };
    };

    test('verifies and replays a genuine receipt without any request', async () => {
      const { page, requestedUrls, errors, path } = await openVerifier();
      const { verdict, claims } = await check(page, 'offline.json', receipt);
      expect(verdict).toBe('unknown_key');
      expect(claims).toEqual({ ...SIGNED, ...REPLAYED, 'key pinned': 'not checked', hmac: 'not checked' });
      expect(requestedUrls).toEqual([pathToFileURL(path).href]);
      expect(await page.$eval('.drop-more', (element) => element.textContent)).toContain(
        'The file stays in this browser.',
      );
      expect(errors).toEqual([]);
      await page.close();
    });

    test('verifies and replays a receipt of operators', async () => {
      const { page, requestedUrls } = await openVerifier();
      const { verdict, claims } = await check(page, 'offline-computed.json', computed);
      expect([verdict, claims]).toEqual(['unknown_key', expect.objectContaining(REPLAYED)]);
      expect(requestedUrls.length).toBe(1);
      await page.close();
    });

    test('shows a receipt in words, and calls no key trusted', async () => {
      const { page, requestedUrls } = await openVerifier();
      expect((await check(page, 'offline-kinetic.json', kinetic)).verdict).toBe('unknown_key');
      const lines = await readLines(page);
      expectKinetic(lines);
      expect(lines['Signed by']?.[1]).toContain('owner unknown');
      expect(await readTitle(page)).toBe(`signed by an unknown key ${kid}, bits equal`);
      expect(requestedUrls.length).toBe(1);
      await page.close();
    });

    test('rejects a changed receipt', async () => {
      const { page } = await openVerifier();
      const { verdict, claims } = await check(page, 'offline-changed.json', { ...receipt, unit: 'J' });
      expect(verdict).toBe('bad');
      expect(claims).toMatchObject({ signature: 'holds', statement: 'fails', answer: 'fails' });
      await page.close();
    });

    test('is not green for an unknown key, and green once its fingerprint is pinned', async () => {
      const { page, requestedUrls, errors } = await openVerifier();
      await check(page, 'unpinned.json', receipt);
      expect(await page.$eval('[data-verdict]', (element) => element.className)).toBe('verdict verdict-unknown');
      await page.setViewport({ width: 400, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
      await pinKey(page, ` ${kid} `);
      expect(await readVerification(page)).toMatchObject({
        verdict: 'good',
        claims: { ...SIGNED, 'key pinned': 'holds', ...REPLAYED, hmac: 'not checked' },
      });
      expect(await readTitle(page)).toBe('valid, bits equal');
      expect((await readLines(page))['Signed by']?.[1]).toBe('a key that you trust');
      await page.click('.pin-list button');
      await page.waitForSelector('[data-verdict=unknown_key]');
      expect(await page.$('.pin-list')).toBeNull();
      expect(requestedUrls.length).toBe(1);
      expect(errors).toEqual([]);
      await page.close();
    });

    test('takes a key set, before or after the receipt', async () => {
      const { page } = await openVerifier();
      const jwks = write('jwks.json', await (await fetch(`${service.url}/api/.well-known/jwks.json`)).text());
      await uploadFile(page, jwks);
      await page.waitForSelector('.pin-list');
      expect(await page.$$eval('.pin-list code', (all) => all.map(({ textContent }) => textContent))).toEqual([kid]);
      expect((await check(page, 'after-keys.json', computed)).verdict).toBe('good');
      const second = await openVerifier();
      await check(second.page, 'before-keys.json', computed);
      await uploadFile(second.page, jwks);
      expect((await readVerification(second.page)).verdict).toBe('good');
      await page.close();
      await second.page.close();
    });

    test('refuses what is no fingerprint, and a key set without a usable key', async () => {
      const { page } = await openVerifier();
      await pinKey(page, 'my key');
      await page.waitForSelector('.field-fault');
      expect(await page.$eval('.field-fault', (element) => element.textContent)).toContain('43');
      expect(await page.$eval('#pin', (element) => element.getAttribute('aria-invalid'))).toBe('true');
      const { publicKey } = signerOf(66);
      await uploadFile(page, write('bad-jwks.json', JSON.stringify({ keys: [{ ...publicKey, kid }] })));
      await page.waitForSelector('.notice-error');
      expect(await page.$('.pin-list')).toBeNull();
      await page.close();
    });

    test('refuses a forged receipt with a key of its own once the true key is pinned', async () => {
      const { page } = await openVerifier();
      const forged = forgedWith(computed, { keyPrefix: 'svc_ak_ministry' });
      const before = await check(page, 'forged.json', forged);
      expect([before.verdict, before.claims]).toEqual(['unknown_key', expect.objectContaining(SIGNED)]);
      expect(await readTitle(page)).toContain('signed by an unknown key');
      await pinKey(page, kid);
      const { verdict, claims } = await readVerification(page);
      expect(verdict).toBe('bad');
      expect(claims).toMatchObject({ ...SIGNED, 'key pinned': 'fails', ...REPLAYED });
      expect(await readTitle(page)).toBe('not valid');
      await page.close();
    });

    test('refuses a signed law that nobody registered, whoever is pinned', async () => {
      const { page } = await openVerifier();
      const { definitions } = kinetic as { definitions: { id: string }[] };
      const borrowed = definitions.map((one) => (one.id === 'CM9' ? { ...one, equation: 'K = m*v^2/3' } : one));
      await pinKey(page, signerOf(66).publicKey.kid);
      const forged = forgedWith(kinetic, { definitions: borrowed });
      const { verdict, claims } = await check(page, 'borrowed-law.json', forged);
      expect([verdict, claims]).toEqual(['bad', expect.objectContaining({ 'key pinned': 'holds', laws: 'fails' })]);
      expect(await page.$eval('[data-claim=laws]', (element) => element.textContent)).toContain('CM9');
      await page.close();
    });

    test('calls a law that nobody registered by its own verdict, though every number follows from it', async () => {
      const { page } = await openVerifier();
      const { definitions } = kinetic as unknown as { definitions: readonly SealedDefinition[] };
      const borrowed = definitions.map((one) => (one.id === 'CM9' ? { ...one, equation: 'K = m*v^2/3' } : one));
      await pinKey(page, signer.publicKey.kid);
      const computedWithIt = { ...envelopeOf(await computeWith(borrowed, { m: 2, v: 25 })) };
      const { verdict, claims } = await check(page, 'false-law.json', computedWithIt);
      expect([verdict, claims]).toEqual([
        'bad',
        expect.objectContaining({ ...SIGNED, 'key pinned': 'holds', ...REPLAYED, laws: 'fails' }),
      ]);
      expect(await readTitle(page)).toBe('not a registered law');
      expect((await readLines(page)).Law?.[1]).toContain('not the law that this version registers');
      await page.close();
    });

    test('shows both revisions of a receipt of another revision', async () => {
      const { page } = await openVerifier();
      await pinKey(page, signerOf(66).publicKey.kid);
      const { verdict, claims } = await check(page, 'later.json', forgedWith(receipt, { revision: 7 }));
      expect([verdict, claims]).toEqual([
        'good',
        expect.objectContaining({ kernel: 'holds', plan: 'not checked', answer: 'not checked', laws: 'holds' }),
      ]);
      expect(await readTitle(page)).toBe('valid, outputs of the kernel equal, answer not compared');
      const number = `${receipt.value} ± ${receipt.uncertainty}`;
      const shown = await page.$eval('.revisions dl', (element) => element.textContent);
      expect(shown).toContain('receipt, revision 7');
      expect(shown).toContain(`this version, revision ${receipt.revision}`);
      expect(shown?.split(number)).toHaveLength(3);
      await page.close();
    });

    test('names a missing kernel', async () => {
      const { page } = await openVerifier();
      await uploadFile(
        page,
        write('unknown-kernel.json', JSON.stringify({ ...receipt, kernel_sha256: 'ab'.repeat(32) })),
      );
      await readVerification(page);
      const reason = await page.$eval('[data-claim=kernel] .claim-reason', (element) => element.textContent);
      expect(reason).toContain(`${'ab'.repeat(32)}.wasm`);
      await page.close();
    });

    test('takes a kernel that it does not have from a bundle or as a file', async () => {
      const image = await loadKernel('schrodinger');
      // A custom section changes the hash, and nothing that is executed.
      const bytes = Uint8Array.from([...image.bytes, 0, 2, 1, 120]);
      const other = { ...image, bytes, sha256: sha256Hex(bytes) };
      const sealed = forgedWith(receipt, { kernel_sha256: other.sha256 });
      const { page } = await openVerifier();
      await pinKey(page, signerOf(66).publicKey.kid);
      const bundled = await check(page, 'bundled-kernel.json', bundleReceipt(sealed, other));
      expect([bundled.verdict, bundled.claims]).toEqual(['good', expect.objectContaining(REPLAYED)]);
      const alone = await check(page, 'without-kernel.json', sealed);
      expect([alone.verdict, alone.claims.kernel]).toEqual(['partial', 'not checked']);
      await uploadFile(page, write('other.wasm', bytes));
      const { verdict, claims } = await readVerification(page);
      expect([verdict, claims]).toEqual(['good', expect.objectContaining(REPLAYED)]);
      await page.close();
    });
  });
});
