// The MCP server with additional tools, prompts and resources that the conformance suite requires by name.
//
// Origin guard, keys, both protocol generations, streams and cancellation are those of the production server.

import {
  fromJsonSchema,
  type InputRequiredResult,
  McpServer,
  type ReadResourceResult,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { type Handlers, registerHandlers, SERVER_INFO, SERVER_OPTIONS } from '../../../src/mcp/server.ts';
import { INPUT_REQUIRED_TOOLS, STATES } from './input-required.ts';
import { PIXEL } from './media.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { FIXTURE_TOOLS, text } from './tools.ts';

const TOOLS = [...FIXTURE_TOOLS, ...INPUT_REQUIRED_TOOLS];
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

export function fixtureServer(handlers: Handlers, notifier: () => ServerNotifier): McpServer {
  const mcp = new McpServer(SERVER_INFO, {
    ...SERVER_OPTIONS,
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    requestState: { verify: STATES.verify },
  });
  registerHeaderTool(mcp);
  const { server } = mcp;
  registerHandlers(server, {
    ...handlers,
    listTools: () => ({
      tools: [...TOOLS.map(({ listing }) => listing), HEADER_TOOL, ...handlers.listTools().tools],
    }),
    callTool: (parameters, context) => callFixture(handlers, parameters, context, notifier()),
    listResources: () => ({
      resources: [
        { uri: 'test://static-text', name: 'static text', description: 'A text.', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'static binary', description: 'A picture.', mimeType: 'image/png' },
        { uri: 'test://watched-resource', name: 'watched', description: 'A text to watch.', mimeType: 'text/plain' },
      ],
    }),
    listResourceTemplates: () => ({
      resourceTemplates: [
        { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
        ...handlers.listResourceTemplates().resourceTemplates,
      ],
    }),
    readResource: async ({ uri }, context) => readFixture(uri) ?? handlers.readResource({ uri }, context),
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params }, context) => getPrompt(params, context));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  return mcp;
}

const HEADER_TOOL = {
  name: 'test_custom_headers',
  description: 'Conformance fixture: a parameter that is repeated in a header.',
  inputSchema: {
    type: 'object' as const,
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  },
};

/** The SDK compares header and argument only for registered tools. */
function registerHeaderTool(mcp: McpServer): void {
  const { name, description, inputSchema } = HEADER_TOOL;
  mcp.registerTool(name, { description, inputSchema: fromJsonSchema(inputSchema) }, () => text('The same.'));
}

async function callFixture(
  handlers: Handlers,
  parameters: Parameters<Handlers['callTool']>[0],
  context: ServerContext,
  notifier: ServerNotifier,
): Promise<Awaited<ReturnType<Handlers['callTool']>>> {
  if (parameters.name === HEADER_TOOL.name) return text('The same.');
  const tool = TOOLS.find(({ listing }) => listing.name === parameters.name);
  if (tool === undefined) return handlers.callTool(parameters, context);
  // The SDK accepts an input-required result wherever it expects a result.
  return (await tool.call(parameters.arguments ?? {}, context, notifier)) as Exclude<
    Awaited<ReturnType<typeof tool.call>>,
    InputRequiredResult
  >;
}

function readFixture(uri: string): ReadResourceResult | undefined {
  if (uri === 'test://static-text' || uri === 'test://watched-resource') {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
  const id = TEMPLATE.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const content = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(content) }] };
}
