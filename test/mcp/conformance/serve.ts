// Runs an in-memory node with the fixtures of the conformance suite, in its own process.

import { readConfiguration } from '../../../src/configuration.ts';
import { openLog } from '../../../src/log.ts';
import { listen } from '../../../src/server.ts';
import { fixtureServer } from './server.ts';

const configuration = readConfiguration(process.env);
const { url } = await listen({
  configuration,
  log: openLog(configuration.logLevel),
  inMemory: true,
  createMcpServer: fixtureServer,
});
console.log(url);
