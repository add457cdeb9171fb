// Every limit of the service in one table, so that documents, schemas and code quote the same number.

export const LIMITS = {
  body: { bytes: 1_000_000, depth: 32, keys: 1_000 },
  expression: {
    characters: 640,
    depth: 64,
    nodes: 400,
    symbols: 14,
    sumTerms: 10_000,
    steps: 200_000,
    precise: 400_000,
  },
  /** Text of a unit; numerator and denominator of an exponent in it. */
  unit: { characters: 100, exponent: 100 },
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
    /** A run expected to take no longer is done by the thread that answers: handing it to a worker would cost more. */
    quickNs: 300_000,
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
  rate: {
    keyless: 120,
    demo: 600,
    free: 1_200,
    standard: 1_200,
    high: 6_000,
    playground: 30,
    /** An hour. */ spinUp: 5,
    /** Ten minutes. */ unlock: 5,
  },
  stream: {
    /** Streams open at once: of one caller, and of all callers together. */
    perCaller: 20,
    perNode: 2_000,
    heartbeatMs: 25_000,
    /** How often a stream asks whether its key is still good, and whether its reader may still follow. */
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
  chain: {
    /** A machine gets a new checkpoint at most this often. */
    checkpointTicks: 60,
    /** Rows that one call validates. */
    validated: { default: 1_000, max: 10_000 },
    /** Canonical JSON of one row. */
    payloadBytes: 64 * 1024,
    /** Developer keys, and share tokens, that are not revoked. */
    keys: 100,
    shares: 100,
    /** How long what was unlocked may be read. */
    passMinutes: 15,
    /** A seal over all machines is made at most this often. */
    sealTicks: 60,
    /** Mothers and witnesses of one machine, and the shortest time from one anchor, or one anchor key, to the next. */
    anchors: { mothers: 16, witnesses: 8, everyTicks: 60 },
    /** A submission to this node as a witness. */
    witnessBytes: 32 * 1024,
    /** Rows of this service's own refusals that a machine takes in so many ticks, and kinds of them that wait to be written. */
    refusals: { rows: 20, ticks: 60, waiting: 256 },
    /** Ticks that counts go back, about nine days, and parts that they are divided into. */
    analytics: { ticks: 1_000_000, bins: 500 },
    /** Rows that one call opens, and payloads after which an answer ends. */
    decrypted: { default: 100, max: 1_000, bytes: 4_000_000 },
  },
  /**
   * What one file of a chain holds: rows, the characters of their payloads, versions of contracts; and what is read of a file,
   * and how deep.
   */
  bundle: {
    rows: 10_000,
    payloadCharacters: 16_000_000,
    versions: 1_000,
    fileBytes: 64 * 1024 * 1024,
    fileDepth: 64,
  },
  tally: {
    nameCharacters: 80,
    symbolCharacters: 8,
    /** How often the rate of a token may be set. */
    segments: 1_000,
    /** Tokens among which an id is looked for. */
    searched: 50_000,
    /** A picture as it comes, its pixels each way, and as it is stored. */
    avatar: { bytes: 256 * 1024, side: 1_024, storedBytes: 1024 * 1024, deadlineMs: 15_000 },
  },
  /** What operators are searched for, and a text that domains are matched with. */
  search: { characters: 200, hits: { default: 12, max: 40 }, textCharacters: 8_000, domains: { default: 5, max: 12 } },
  /** Readings of an oracle that are listed, and the name of a source. */
  oracles: { series: { default: 20, max: 100 }, sourceCharacters: 64 },
  contracts: {
    perMachine: 200,
    /** How often an event may cause another one. */
    hops: 8,
    /** Of a name to which tokens belong. */
    holderCharacters: 200,
    /**
     * Solvers that a transition may ask, that what one caller does may ask, and that what is due at once may; how long one may
     * take; receipts up to so long stand in the row.
     */
    solvers: { perTransition: 2, perChange: 8, perWake: 256, mostLate: 3, deadlineMs: 10_000, receiptBytes: 16 * 1024 },
    /** What one dry run or replay may read, and how far it may go. */
    whatIf: { rows: 10_000, steps: 50_000, deadlineMs: 20_000, listed: 200, ahead: 2_000_000 },
    /** Transitions and acts that one call verifies. */
    proof: { rows: 100_000 },
    /** How long a preview stands. */
    previewTicks: 5,
    /** A text that a contract is made from. */
    generate: { least: 8, most: 600 },
  },
  /** Requests to addresses that users give: one from the look-up to its last byte, and what is read of its answer. */
  outbound: { timeoutMs: 5_000, answerBytes: 64 * 1024 },
  webhooks: {
    /** Attempts before a delivery is given up, about three days after the first. */
    attempts: 12,
    /** Requests under way at once: of one node, to one host, of one machine. */
    underWay: 32,
    perHost: 4,
    perMachine: 12,
    /** How long a replaced secret signs beside the new one. */
    secretOverlapHours: 24,
    /** How long deliveries that are settled can be listed and repeated. */
    keptDays: 30,
  },
  folderCharacters: 64,
  /** A name of an input or a constant. */
  keyCharacters: 64,
  pageSize: { default: 50, max: 200 },
} as const;
