// Words for the documentation: the meaning of each error code, and what its receiver can do. A code without words does
// not compile.

import type { ErrorCode } from './errors.ts';

export interface ErrorWords {
  /** One sentence. */
  readonly meaning: string;
  readonly remedy: string;
}

const words = (meaning: string, remedy: string): ErrorWords => ({ meaning, remedy });

export const ERROR_WORDS: Readonly<Record<ErrorCode, ErrorWords>> = {
  BAD_REQUEST: words(
    'The request, its address or a file could not be read as what it claims to be.',
    'Read the message, which names the part that is wrong, and correct that part.',
  ),
  BODY_TOO_DEEP: words('The JSON of the body is nested too deeply.', 'Flatten the body, or send less of it at once.'),
  AUTH_REQUIRED: words(
    'The route needs an API key and the request has none.',
    'Send the header “Authorization: Bearer <key>”. POST /api/demo-key/mint gives a demo key for 24 hours.',
  ),
  KEY_INVALID: words(
    'The key has the wrong form, or this node does not know it.',
    'Check that the whole key was copied and that it belongs to this node, or get a new one.',
  ),
  KEY_REVOKED: words(
    'The key or share token was revoked by its owner.',
    'Use another key, or ask the owner for a new one.',
  ),
  KEY_EXPIRED: words('The key or share token is past its last day.', 'Create a new key; demo keys live for 24 hours.'),
  FORBIDDEN: words(
    'The key is known, but its role or scope does not allow this.',
    'Use a key with the role or scope that the message names, or ask an admin of the machine for it.',
  ),
  ADMIN_REQUIRED: words(
    'The route needs the role or the key scope “admin”.',
    'Use the key of an admin, or ask one to do it.',
  ),
  FORBIDDEN_PARTY: words(
    'The contract lets only another party send this event or fire this transition.',
    'Send with a key that is bound to the party that the message names.',
  ),
  ANCHOR_NOT_ACCEPTED: words(
    'The other machine does not accept anchors from this one.',
    'Ask its admins to change accept_anchors, or anchor in another machine.',
  ),
  ZID_NOT_LINKED: words(
    'The account of the key has no identity (ZID) yet, and the route needs one.',
    'Create an identity for the account first, then repeat the request.',
  ),
  NOT_FOUND: words(
    'There is no route, machine, contract or other thing at this address that the caller may see.',
    'Check the spelling. GET /api/endpoints lists all routes.',
  ),
  RUN_NOT_FOUND: words(
    'No stored run has this id in your library, or it is no longer kept.',
    'Check the id and the key. Results without a folder are kept for a limited time; keep receipts as files.',
  ),
  KERNEL_UNAVAILABLE: words(
    'The WebAssembly kernel that the work needs could not be loaded.',
    'Check the connection and try again. In a checkout, run npm run build. For an old receipt, bring its kernel.',
  ),
  DOMAIN_UNKNOWN: words(
    'No domain of laws has this name.',
    'Take one of the nearest names in the message. GET /api/svc/operators lists all domains.',
  ),
  TICK_IN_FUTURE: words(
    'The request asks about a tick that has not come yet.',
    'Ask again later, or for a tick up to the current one (GET /api/svc/pulse).',
  ),
  OPERATOR_UNKNOWN: words(
    'No law of the registry has this id.',
    'Take one of the nearest ids in the message, or search on the Operators page.',
  ),
  METHOD_NOT_ALLOWED: words(
    'The address exists, but not for this HTTP method.',
    'Use a method of the Allow header of the answer.',
  ),
  REQUEST_TIMEOUT: words(
    'The request did not arrive completely in time.',
    'Send it again over a better connection, or send a smaller body.',
  ),
  IDEMPOTENCY_ANSWER_LOST: words(
    'The first request with this Idempotency-Key changed something and ended without an answer.',
    'Read the present state first. Then send what is still wanted with another key.',
  ),
  IDEMPOTENCY_IN_FLIGHT: words(
    'The first request with this Idempotency-Key is still running.',
    'Wait for a moment and send the same request again; it then gets the stored answer.',
  ),
  CONFLICT: words(
    'Something else changed first, or the thing is in a state that does not allow this.',
    'Read the present state and decide again. With If-Match, send the current version.',
  ),
  CLOCK_AHEAD: words(
    'The newest row of the machine lies in the future of this node’s clock, so no row may follow it yet.',
    'Wait for the seconds in Retry-After. If it lasts, correct the clock of the node.',
  ),
  MACHINE_ARCHIVED: words('The machine is archived: it can be read, not written.', 'Write to another machine.'),
  TRANSITION_NOT_ENABLED: words(
    'The transition does not start in the present state, or its condition is not true.',
    'Read the contract’s state, and send what leads to a state in which the transition starts.',
  ),
  BODY_TOO_LARGE: words(
    'The body, file or receipt is larger than the limit.',
    'Send less at once. For a large receipt, take the linked form (svc solve --linked).',
  ),
  UNSUPPORTED_MEDIA_TYPE: words(
    'The type or encoding of the body is not one that the route reads.',
    'Send JSON with “Content-Type: application/json” and no Content-Encoding.',
  ),
  VALIDATION_FAILED: words(
    'One or more fields are missing, unknown, or outside of their range.',
    'Correct each field in details; every entry has the path, the given value and the allowed ones.',
  ),
  EXPRESSION_INVALID: words(
    'An expression or equation cannot be parsed, or uses a name that it does not know.',
    'Correct the expression at the position that the message shows.',
  ),
  CANNOT_GENERATE: words(
    'No contract could be made from these words.',
    'Say states, events and times more plainly, as the message advises, or start from a template.',
  ),
  INVALID_ZID: words('The text is no identity: a ZID is 32 lower-case hex digits.', 'Copy the whole ZID again.'),
  UNIT_INVALID: words('The unit is not known.', 'Write a unit such as km/h, N*m or degC; the Units page lists them.'),
  UNIT_MISMATCH: words(
    'The unit is known, but of another dimension than the one that is expected.',
    'Give the quantity in a unit of the dimension that the message names.',
  ),
  DIVISION_BY_ZERO: words(
    'For these inputs a divisor is zero, so the law has no value.',
    'Change the input that makes the divisor zero; the message names it.',
  ),
  NUMERIC_OVERFLOW: words(
    'For these inputs a number became too large for a double.',
    'Take smaller inputs, a shorter time, or other units.',
  ),
  VALUE_UNDEFINED: words(
    'For these inputs there is no finite value: a root of a negative number, or a logarithm of zero.',
    'Stay within the range in which the law or equation holds.',
  ),
  UNSTABLE_SCHEME: words(
    'With this step the numerical method is unstable or cannot go on.',
    'Take a smaller step, or the method that the message names. Facts of the answer give the largest stable step.',
  ),
  OPERATOR_AMBIGUOUS: words(
    'Several laws fit the given inputs, and none fits best.',
    'Name the law in operators; the message lists those that fit.',
  ),
  QUERY_AMBIGUOUS: words(
    'The question has several meanings, or a number in it that nothing takes.',
    'Name what is meant as target, or write the number beside the name of its input.',
  ),
  QUERY_NOT_UNDERSTOOD: words(
    'No solver and no law answers this question.',
    'Use the words of a solver or law. The Solve and Operators pages list all of them.',
  ),
  PRECISION_REFUSED: words(
    'A number came out, but its error cannot be kept below the limit, so it is not sealed.',
    'Take a finer grid or shorter steps, or smaller uncertainties of the inputs.',
  ),
  ROOT_NOT_FOUND: words(
    'No value of the unknown gives the wanted result in its declared range.',
    'Compare the wanted result with what the law gives at both ends; the message shows these.',
  ),
  ROOT_NOT_UNIQUE: words(
    'Several values of the unknown give the wanted result.',
    'Narrow the range so that it holds the root that is meant.',
  ),
  BUDGET_EXCEEDED: words(
    'The work would take more time, memory or steps than one request may.',
    'Make the problem smaller: fewer cells, steps, rows or samples. The answer has the estimate.',
  ),
  IDEMPOTENCY_KEY_REUSED: words(
    'The Idempotency-Key belongs to an earlier request with other content.',
    'Use a new key for every new request.',
  ),
  ADDRESS_BLOCKED: words(
    'The address that the node should call is private, local or otherwise not allowed.',
    'Give a public address, or let the operator of the node allow this one.',
  ),
  RATE_LIMITED: words(
    'The key or address has made too many requests in this period.',
    'Wait for the seconds in Retry-After. The RateLimit headers show what is left.',
  ),
  HEADERS_TOO_LARGE: words(
    'The address and the headers together are too long.',
    'Send long inputs in a body, by POST.',
  ),
  ADDRESS_UNREACHABLE: words(
    'The other server could not be reached or broke off.',
    'Check the name and port, and that the other server runs; then try again.',
  ),
  WITNESS_REFUSED: words(
    'The witness of a checkpoint answered and did not sign it.',
    'Read its reason in the message; the witness may know another history of the log.',
  ),
  QUEUE_FULL: words('The node has as much work as it takes at once.', 'Try again after the seconds in Retry-After.'),
  SHUTTING_DOWN: words('The node is stopping and takes no new work.', 'Try again in a few seconds.'),
  CLOCK_SKEWED: words(
    'The node does not trust its own clock at present, so it writes no rows and fires no timers.',
    'The operator of the node should correct its clock; then try again.',
  ),
  OWNER_UNREACHABLE: words(
    'Another node owns the machine and cannot be reached at present.',
    'Try again after the seconds in Retry-After: then another node has taken the machine over. Use an Idempotency-Key.',
  ),
  STORAGE_UNAVAILABLE: words(
    'The database did not answer or cannot be opened.',
    'Try again in a second. If it lasts, the operator should look at the database.',
  ),
  STORAGE_LOCKED: words(
    'Another process uses the data folder.',
    'Stop the other process, or start this one with another folder. The message has the process id.',
  ),
  STORAGE_FULL: words(
    'The database has almost no free space: nothing long is stored, and at the end nothing that callers write.',
    'Reading, computing without a folder, and revoking go on. The operator should enlarge the disk or delete data.',
  ),
  ARCHIVE_UNAVAILABLE: words(
    'Rows that are asked for are in the archive of the node, which cannot be read or written.',
    'The message names the file. The operator should make the folder of SVC_ARCHIVE readable; then try again.',
  ),
  OUT_OF_TIME: words(
    'The work or the call did not end within its time limit.',
    'Make the problem smaller, or try again when the node is less busy.',
  ),
  CANCELLED: words('The caller cancelled the work, or went away.', 'Nothing, or start it again.'),
  KERNEL_FAILED: words(
    'A kernel stopped in a way that it should not, or its file is damaged.',
    'Report it with the request_id and the inputs. Build again if the file is damaged.',
  ),
  SEAL_DAMAGED: words(
    'A seal of this node is damaged in the database, so no other may follow it.',
    'The operator should run svc fsck and restore the row that it names.',
  ),
  ARCHIVE_TAMPERED: words(
    'A file of the archive is not the one that was written, so none of its rows are served.',
    'The operator should restore the named file from a copy, and look who can write to the folder.',
  ),
  INTERNAL: words(
    'A defect of svc, whose message is not shown to callers.',
    'Report it with the request_id; the log of the node has the cause under it.',
  ),
};
