// The URL of a call, for programs that send it themselves.

export { requestUrl } from '../operations/request-url.ts';
