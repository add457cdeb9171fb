// A request that never came over a wire, to ask middleware for its constant answer.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export function createRequest(): { req: IncomingMessage; res: ServerResponse } {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  req.url = '/';
  return { req, res: new ServerResponse(req) };
}
