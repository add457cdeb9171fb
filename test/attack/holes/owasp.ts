// One hole for each risk of the OWASP API Security Top 10 (2023), and the test that it makes fail.

import { outcomesWith, type Planted } from './planted-project.ts';

export interface Hole extends Planted {
  /** API1 … API10. */
  readonly risk: string;
  /** The full name, as Vitest prints it. */
  readonly test: { readonly file: string; readonly name: string };
}

export const HOLES: readonly Hole[] = [
  {
    risk: 'API1',
    file: 'src/services/machines/machines.ts',
    defence: 'const canRead = machine && (machine.isPublic ||',
    planted: 'const canRead = machine && (true || machine.isPublic ||',
    test: { file: 'test/http/roles.test.ts', name: "'machine.get: viewer'" },
  },
  {
    risk: 'API2',
    file: 'src/services/access/access.ts',
    defence: 'if (key.expiresMs !== undefined && key.expiresMs <= nowMs)',
    planted: 'if (key.expiresMs !== undefined && key.expiresMs <= 0)',
    test: { file: 'test/http/authorization.test.ts', name: "'key.list by expired'" },
  },
  {
    risk: 'API3',
    file: 'src/operations/machines/machines.ts',
    defence: 'if (needsOwner) await',
    planted: 'if (needsOwner && false) await',
    test: { file: 'test/http/roles.test.ts', name: "'machine.settings, making it public: o…'" },
  },
  {
    risk: 'API4',
    file: 'src/http/rate-limit.ts',
    defence: 'if (usage.isExceeded)',
    planted: 'if (usage.isExceeded && false)',
    test: { file: 'test/http/limits.test.ts', name: 'rates a key beyond its rate is rejected until its minute ends' },
  },
  {
    risk: 'API5',
    file: 'src/operations/invoke.ts',
    defence: "if (operation.tier === 'admin' && principal.scope !== 'admin')",
    planted: "if (operation.tier === 'admin' && principal.scope === 'read')",
    test: { file: 'test/http/authorization.test.ts', name: "'key.create by write'" },
  },
  {
    risk: 'API6',
    file: 'src/services/machines/machines.ts',
    defence: "await rateLimit.admit('takenSlug', tenant);",
    planted: '',
    test: {
      file: 'test/attack/taken-slugs.test.ts',
      name: 'after too many taken slugs of one account no slug is answered, whether free or not, with any key of the account',
    },
  },
  {
    risk: 'API7',
    file: 'src/services/node/outbound-address.ts',
    defence: "if (parsed?.range() !== 'unicast') return false;",
    planted: "if (parsed?.range() !== 'unicast') return true;",
    test: { file: 'test/services/node/outbound.test.ts', name: 'blocks no public address' },
  },
  {
    risk: 'API8',
    file: 'src/operations/host-header.ts',
    defence: 'if (hostHeaderCount(rawHeaders) > 1)',
    planted: 'if (hostHeaderCount(rawHeaders) > 9)',
    test: {
      file: 'test/attack/host-header.test.ts',
      name: '400 for a WebSocket whose Host hides a foreign one, or stands twice',
    },
  },
  {
    risk: 'API9',
    file: 'src/operations/index.ts',
    defence: '  ...KEY_OPERATIONS,\n',
    planted:
      "  ...KEY_OPERATIONS,\n  { ...KEY_OPERATIONS[0], name: 'key.debug', route: 'POST /api/debug/keys', tier: 'public' },\n",
    test: {
      file: 'test/pins/pins.test.ts',
      name: 'operations: route, tier, effect, role on the machine, tool, every status, and the codes that are their own',
    },
  },
  {
    risk: 'API10',
    file: 'src/services/node/outbound.ts',
    defence: 'if (size > answerBytes) break;',
    planted: 'if (size > 1e12) break;',
    test: { file: 'test/services/node/outbound.test.ts', name: 'a request reads an endless response up to the limit' },
  },
];

/** Status by full name of the tests of the holes, in a copy of the project that has all of them. */
export function outcomesOf(holes: readonly Hole[]): Promise<ReadonlyMap<string, string>> {
  const tests = holes.map(({ test }) => test);
  return outcomesWith(
    holes,
    tests.map(({ file }) => file),
    tests.map(({ name }) => name),
  );
}
