// The NATS server of this machine, which some suites need.

import { connect } from 'node:net';

export const NATS = { host: '127.0.0.1', port: 4222 };
export const hasNats = await new Promise<boolean>((resolve) => {
  const socket = connect(NATS);
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  socket.unref();
});
