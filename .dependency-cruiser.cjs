// Allowed imports between folders: docs/architecture.md, Direction. Read by scripts/gates/tools.ts.
//
// @swc/core parses the sources; with TypeScript 7 alone dependency-cruiser finds no modules and succeeds.

/** The folders that run in a browser, and the Node-only files in them. */
const browser = require('./tsconfig.browser.json');

/** Matches a file, or a folder with its contents. */
const patternOf = (path) => `^${path.replaceAll('.', '[.]')}($|/)`;

/** Folder of src → the folders of src that it may import besides itself. */
const ALLOWED = {
  core: [],
  kernels: ['core'],
  expressions: ['core', 'kernels'],
  operators: ['core', 'kernels', 'expressions'],
  solvers: ['core', 'kernels', 'expressions'],
  dispatch: ['core', 'expressions', 'operators', 'solvers'],
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
    'dispatch',
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
  broker: ['core', 'operations', 'services'],
  client: ['core', 'operations'],
  cli: [
    'core',
    'kernels',
    'expressions',
    'contracts',
    'operators',
    'dispatch',
    'solvers',
    'chain',
    'protocol',
    'operations',
    'client',
  ],
  portal: ['core', 'kernels', 'expressions', 'operators', 'solvers', 'contracts', 'chain', 'protocol', 'client'],
};

/** Allowed imports outside these folders. */
const EXTRA = {
  cli: ['^src/(built-portal|configuration|run-archive|run-fsck|log|server)\\.ts$'],
  storage: ['^migrations/'],
};

const folders = Object.entries(ALLOWED).map(([folder, allowed]) => ({
  name: `direction-${folder}`,
  comment: `${folder} may import ${allowed.join(', ') || 'no other folder'}.`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: {
    path: '^(src|scripts|test|bench|migrations)/',
    pathNot: [`^src/(${[folder, ...allowed].join('|')})/`, ...(EXTRA[folder] ?? [])],
  },
}));

/** Folder of services → the folders of services that it may import besides itself; src/composition.ts builds in this order. */
const SERVICE_FOLDERS = {
  node: [],
  access: ['node'],
  compute: ['node', 'access'],
  engine: ['node', 'access', 'compute'],
  machines: ['node', 'access', 'engine'],
  oracles: ['node', 'access', 'engine'],
  webhooks: ['node', 'access', 'machines'],
  contracts: ['node', 'access', 'engine', 'machines'],
  anchors: ['node', 'access', 'machines'],
  // The auditor reads the sealed names and records of every room; no room reads it.
  fsck: ['node', 'compute', 'engine', 'machines', 'webhooks', 'anchors'],
};

const serviceFolders = Object.entries(SERVICE_FOLDERS).map(([folder, allowed]) => ({
  name: `service-direction-${folder}`,
  comment: `services/${folder} may import services/{${allowed.join(', ')}}.`,
  severity: 'error',
  from: { path: `^src/services/${folder}/` },
  to: { path: '^src/services/', pathNot: `^src/services/(${[folder, ...allowed].join('|')})/` },
}));

/** Third-party package → the only path that may import it. */
const PACKAGE_PATHS = {
  '@assemblyscript/loader': '^src/kernels/',
  knex: '^(src/storage|migrations)/',
  pg: '^src/storage/',
  '@electric-sql/pglite': '^src/storage/',
  koa: '^src/http/',
  '@koa/router': '^src/operations/route-table[.]ts$',
  'koa-helmet': '^src/http/',
  '@modelcontextprotocol/[^/]+': '^src/mcp/',
  commander: '^src/cli/',
  ws: '^src/streams/',
  '@nats-io/[^/]+': '^src/services/node/nats[.]ts$',
  'ipaddr[.]js': '^src/services/node/address-range[.]ts$',
  '@hpke/core': '^src/services/machines/sealing/hpke\\.ts$',
  '@jsquash/[^/]+': '^src/services/machines/tally/image-worker\\.ts$',
};

const packages = Object.entries(PACKAGE_PATHS).map(([library, allowed]) => ({
  name: `package-${library}`,
  comment: `Only ${allowed} may import ${library}.`,
  severity: 'error',
  from: { path: '^(src|migrations)/', pathNot: allowed },
  to: { path: `(^|/)node_modules/(@types/)?${library}/` },
}));

module.exports = {
  forbidden: [
    ...folders,
    ...serviceFolders,
    ...packages,
    {
      name: 'solvers-independent',
      comment: 'A solver imports shared files of src/solvers and parts/, never the folder of another solver.',
      severity: 'error',
      from: { path: '^src/solvers/([^/]+)/' },
      to: { path: '^src/solvers/[^/]+/', pathNot: '^src/solvers/($1|parts)/' },
    },
    {
      name: 'outbound-only',
      comment:
        'Services call user-supplied URLs only through outbound.ts, which blocks private addresses. Nodes call each other at the addresses that their operators state.',
      severity: 'error',
      from: {
        path: '^src/(services|operations)/',
        pathNot: '^src/services/node/(outbound|owners/http-transport)[.]ts$',
      },
      to: { path: '^(http|https|http2|tls|dgram|dns|dns/promises)$' },
    },
    {
      name: 'browser-safe',
      comment: 'Folders that may run in a browser never import node:*.',
      severity: 'error',
      from: { path: browser.include.map(patternOf), pathNot: browser.exclude.map(patternOf) },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-registry-in-browser',
      comment:
        'Pages and replays contain the definitions that they need, never a whole registry; both registries read files.',
      severity: 'error',
      from: { path: '^src/(portal/|(browser|authoring)\\.ts$)' },
      to: {
        path: '^src/(operators/(load|find-domain)|templates/load|core/json-files-node)\\.ts$',
        reachable: true,
      },
    },
    {
      name: 'composition-root',
      comment:
        'Only the server imports the composition root. Nothing imports the server and public entries, except the CLI.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/serve\\.ts$|^src/index\\.ts$|^src/server\\.ts$' },
      to: { path: '^src/(server|index|browser|authoring|composition)\\.ts$' },
    },
    {
      name: 'no-cycles',
      comment: 'No import cycles, including type-only and dynamic imports.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    { name: 'resolved', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Besides folders: what resolves to other files in browsers (#api to declarations, #routes to routes-browser.ts).
    exclude: { path: '^(dist|build|test/judges)/|^src/(operations/api|client/routes-node)[.]ts$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
