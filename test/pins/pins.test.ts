// Published interfaces, as literals. A red pin asks whether the change was meant;
// `vitest run test/pins -u` accepts it.

import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ERROR_FORMS } from '../../src/core/errors.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { documentedErrors, INTERFACE_VERSION } from '../../src/operations/node/openapi.ts';

/** One line for each name, in order of the names. */
const pin = (rows: readonly (readonly [name: string, text: unknown])[]) =>
  `${JSON.stringify(Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;

test('operations: route, tier, effect, role on the machine, tool, every status, and the codes that are their own', async () => {
  const rows = OPERATIONS.map((operation) => {
    const { route, name, tier, effect, machine, mcp, status = 200, errors } = operation;
    const statuses = [status, ...documentedErrors(operation).keys()].join(' ');
    const tool = mcp?.tool ?? 'no tool';
    return [
      route,
      [name, `${tier} ${effect}`, machine ?? 'no role', tool, statuses, errors.toSorted().join(' ')].join(' | '),
    ] as const;
  });
  expect(rows.length).toBeGreaterThan(15);
  await expect(pin(rows)).toMatchFileSnapshot('operations.json');
});

test('error codes: HTTP status, CLI exit code, and whether the message is shown', async () => {
  const rows = Object.entries(ERROR_FORMS).map(([code, { status, exit, isShown }]) => {
    return [code, `${status}, exit ${exit}${isShown ? '' : ', message withheld'}`] as const;
  });
  expect(rows.length).toBeGreaterThan(20);
  await expect(pin(rows)).toMatchFileSnapshot('error-codes.json');
});

test('what the package exports', async () => {
  const [node, browser, contracts] = await Promise.all([
    import('../../src/index.ts'),
    import('../../src/browser.ts'),
    import('../../src/authoring.ts'),
  ]);
  const names = (module: object) => Object.entries(module).map(([name, value]) => [name, typeof value] as const);
  const rows = [
    ...names(node).map(([name, kind]) => [`svc: ${name}`, kind] as const),
    ...names(browser).map(([name, kind]) => [`svc in a browser: ${name}`, kind] as const),
    ...names(contracts).map(([name, kind]) => [`svc/contracts: ${name}`, kind] as const),
    ...Object.entries(packageJson.exports).map(
      ([path, target]) => [`package ${path}`, JSON.stringify(target)] as const,
    ),
    ...Object.entries(packageJson.bin).map(([command, target]) => [`command ${command}`, target] as const),
  ];
  await expect(pin(rows)).toMatchFileSnapshot('exports.json');
});

test('the version of the interface is the one of the specification', () => {
  expect(INTERFACE_VERSION).toBe('1.287.0');
});
