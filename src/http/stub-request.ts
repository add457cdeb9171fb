// Stub request and response without a connection, to read the constant headers that middleware sets.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export function createStubRequest(): { req: IncomingMessage; res: ServerResponse } {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  req.url = '/';
  return { req, res: new ServerResponse(req) };
}
