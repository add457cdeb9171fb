// JSON-RPC message that calls a tool, for POST /api/mcp.

export const mcpCall = (tool: string, input: Readonly<Record<string, unknown>>) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: tool, arguments: input },
});
