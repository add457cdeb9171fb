// Which room may know which: docs/architecture.md, Direction. Read by scripts/gates/tools.ts.
//
// @swc/core parses the sources; with TypeScript 7 alone the cruiser sees no module and succeeds.

/** Room → the rooms of src that it may import beside itself. */
const KNOWS = {
  core: [],
  kernels: ['core'],
  expressions: ['core', 'kernels'],
  operators: ['core', 'kernels', 'expressions'],
  solvers: ['core', 'kernels', 'expressions'],
  contracts: ['core', 'expressions'],
  templates: ['core', 'contracts'],
  chain: ['core'],
  protocol: ['core', 'kernels', 'expressions', 'operators', 'solvers', 'contracts', 'chain'],
  storage: ['core', 'contracts', 'chain', 'protocol'],
  services: [
    'core',
    'kernels',
    'expressions',
    'operators',
    'solvers',
    'contracts',
    'templates',
    'chain',
    'protocol',
    'storage',
  ],
  operations: [
    'core',
    'expressions',
    'operators',
    'solvers',
    'contracts',
    'templates',
    'chain',
    'protocol',
    'services',
    'templates',
  ],
  streams: ['core', 'operations', 'services'],
  http: ['core', 'operations', 'services', 'streams'],
  mcp: ['core', 'operations', 'services'],
  client: ['core', 'operations'],
  cli: ['core', 'kernels', 'operators', 'solvers', 'chain', 'protocol', 'operations', 'client'],
  portal: ['core', 'kernels', 'expressions', 'operators', 'solvers', 'contracts', 'chain', 'protocol', 'client'],
};

/** What lies outside the rooms. */
const ALSO = { cli: ['^src/(configuration|inspect|log|server)\\.ts$'], storage: ['^migrations/'] };

const rooms = Object.entries(KNOWS).map(([room, known]) => ({
  name: `direction-${room}`,
  comment: `${room} knows ${known.join(', ') || 'nobody'}.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^(src|scripts|test|bench|migrations)/',
    pathNot: [`^src/(${[room, ...known].join('|')})/`, ...(ALSO[room] ?? [])],
  },
}));

/** These know services as types only: what they call arrives as an argument. */
const typesOnly = ['operations', 'streams', 'http', 'mcp'].map((room) => ({
  name: `types-only-${room}`,
  comment: `${room} imports services as types.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/services/', dependencyTypesNot: ['type-only'] },
}));

/** Foreign package → the only place that imports it. */
const DOORS = {
  '@assemblyscript/loader': '^src/kernels/',
  knex: '^(src/storage|migrations)/',
  pg: '^src/storage/',
  '@electric-sql/pglite': '^src/storage/',
  koa: '^src/http/',
  '@koa/router': '^src/http/',
  'koa-helmet': '^src/http/',
  'raw-body': '^src/http/',
  '@modelcontextprotocol/[^/]+': '^src/mcp/',
  commander: '^src/cli/',
  ws: '^src/streams/',
  'ipaddr[.]js': '^src/services/node/outbound-address[.]ts$',
  '@hpke/core': '^src/services/machines/hpke\\.ts$',
  '@jsquash/[^/]+': '^src/services/machines/image-worker\\.ts$',
};

const doors = Object.entries(DOORS).map(([library, door]) => ({
  name: `door-${library}`,
  comment: `${library} comes in through ${door} only.`,
  severity: 'error',
  from: { path: '^(src|migrations)/', pathNot: door },
  to: { path: `(^|/)node_modules/(@types/)?${library}/` },
}));

module.exports = {
  forbidden: [
    ...rooms,
    ...typesOnly,
    ...doors,
    {
      name: 'solver-rooms-apart',
      comment: 'A solver imports shared files of src/solvers, never the room of another solver.',
      severity: 'error',
      from: { path: '^src/solvers/([^/]+)/' },
      to: { path: '^src/solvers/[^/]+/', pathNot: '^src/solvers/$1/' },
    },
    {
      name: 'one-way-out',
      comment: 'Services call addresses that users give through outbound.ts, which knows where not to go.',
      severity: 'error',
      from: { path: '^src/(services|operations)/', pathNot: '^src/services/node/outbound[.]ts$' },
      to: { path: '^(http|https|http2|tls|dgram|dns|dns/promises)$' },
    },
    {
      name: 'browser-safe',
      comment: 'Rooms that may run in a browser never reach node:*.',
      severity: 'error',
      from: {
        path: '^src/(core|expressions|kernels|solvers|operators|contracts|chain|protocol|client|portal)/',
        pathNot: '^src/core/digest-node\\.ts$|^src/kernels/(load-node|pool|worker)\\.ts$|^src/operators/load\\.ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'registry-stays-home',
      comment: 'A page and a replay carry the definitions that they need, never the whole registry.',
      severity: 'error',
      from: { path: '^src/(portal/|browser\\.ts$)' },
      to: { path: '^src/operators/(load|find-domain)\\.ts$', reachable: true },
    },
    {
      name: 'top-is-the-top',
      comment:
        'The composition root is known to the server alone, and that and the public entries to nobody; the CLI starts it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/serve\\.ts$|^src/index\\.ts$|^src/server\\.ts$' },
      to: { path: '^src/(server|index|browser|composition)\\.ts$' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'resolved', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|build|test/judges)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
