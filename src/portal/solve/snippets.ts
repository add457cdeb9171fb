// The experiment on screen as something to paste elsewhere.

type Input = Readonly<Record<string, unknown>>;

/** For a POSIX shell; the key stands in SVC_KEY. */
export function asCurl(origin: string, solver: string, input: Input): string {
  const body = JSON.stringify(input).replaceAll("'", `'\\''`);
  return [
    `curl -s ${origin}/api/svc/${solver} \\`,
    '  -H "Authorization: Bearer $SVC_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n');
}

export function asTypeScript(solver: string, { operators, ...own }: Input): string {
  const fields = JSON.stringify(own, null, 2);
  const imported = `import { ${solver} } from 'svc/solvers/${solver}';`;
  const lines =
    operators === undefined
      ? [imported, '', `const solution = await ${solver}.solve(${fields});`]
      : [
          `import { definitionOf, findOperator } from 'svc';`,
          imported,
          '',
          `const laws = ${JSON.stringify(operators)}.map((id) => definitionOf(findOperator(id)));`,
          `const solution = await ${solver}.solve(${fields}, { laws });`,
        ];
  return [...lines, 'console.log(solution.value, solution.uncertainty);'].join('\n');
}

/** The message that calls the tool, for POST /api/mcp. */
export function asMcpCall(solver: string, input: Input): string {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: `svc_${solver}`, arguments: input } };
  return JSON.stringify(call, null, 2);
}
