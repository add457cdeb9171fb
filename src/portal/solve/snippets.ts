// Snippets that repeat the experiment elsewhere: curl, TypeScript and an MCP call.

import { mcpCall } from '../kit/mcp-call.ts';

type Input = Readonly<Record<string, unknown>>;

/** For a POSIX shell; the key is read from SVC_KEY. */
export function toCurl(origin: string, solver: string, input: Input): string {
  const body = JSON.stringify(input).replaceAll("'", `'\\''`);
  return [
    `curl -s ${origin}/api/svc/${solver} \\`,
    '  -H "Authorization: Bearer $SVC_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n');
}

export function toTypeScript(solver: string, { operators, ...input }: Input): string {
  const fields = JSON.stringify(input, null, 2);
  const importLine = `import { ${solver} } from 'svc/solvers/${solver}';`;
  const lines =
    operators === undefined
      ? [importLine, '', `const solution = await ${solver}.solve(${fields});`]
      : [
          `import { definitionOf, findOperator } from 'svc';`,
          importLine,
          '',
          `const laws = ${JSON.stringify(operators)}.map((id) => definitionOf(findOperator(id)));`,
          `const solution = await ${solver}.solve(${fields}, { laws });`,
        ];
  return [...lines, 'console.log(solution.value, solution.uncertainty);'].join('\n');
}

/** JSON-RPC message that calls the tool, for POST /api/mcp. */
export function toMcpCall(solver: string, input: Input): string {
  return JSON.stringify(mcpCall(`svc_${solver}`, input), null, 2);
}
