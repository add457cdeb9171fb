// Every limit of the service in one table, so that documents, schemas and code quote the same number.

export const LIMITS = {
  body: { bytes: 1_000_000, depth: 32, keys: 1_000 },
  expression: { characters: 640, depth: 64, nodes: 400, symbols: 14, sumTerms: 10_000, steps: 200_000 },
  /** A series or field up to this many numbers stands inline in an answer; a larger one is linked. */
  inlineNumbers: 4_096,
  fieldDays: 30,
  /** A tool's answer up to so many bytes stands in it; a longer one is outlined and linked for a while. */
  toolResultBytes: 20_000,
  resultHours: 24,
  /** What one solver call may cost before it is refused, in nanoseconds of one kernel core. */
  kernel: {
    budgetNs: 60e9,
    deadlineMs: 90_000,
    /** Runs waiting for a worker, and runs of one owner, waiting or running. */
    queue: 64,
    perOwner: 16,
    /** One instance (asconfig.json, maximumMemory), and all the idle instances that one thread keeps. */
    memoryBytes: 256 * 1024 * 1024,
    warmBytes: 64 * 1024 * 1024,
    chunkMs: 10,
    /** A kernel that does not come back this long after its deadline or its cancellation is stopped with its worker. */
    graceMs: 1_000,
  },
  idempotencyHours: 24,
  demoKeyHours: 24,
  /** Requests a minute. */
  rate: { keyless: 120, demo: 600, free: 1_200, standard: 1_200, high: 6_000 },
  stream: {
    /** Streams open at once: of one caller, and of all callers together. */
    perCaller: 20,
    perNode: 2_000,
    heartbeatMs: 25_000,
    /** How often a stream asks whether its key is still good. */
    authorityMs: 60_000,
    /** Frames that a reader may be behind before it is told of a gap instead. */
    backlog: 512,
    /** How long the last words of a stream may take. */
    graceMs: 1_000,
    /** WebSocket: one message, answers not yet taken by the reader, subscriptions and runs of one connection. */
    messageBytes: 64 * 1024,
    bufferedBytes: 1024 * 1024,
    subscriptions: 16,
    runs: 4,
  },
  folderCharacters: 64,
  pageSize: { default: 50, max: 200 },
} as const;
