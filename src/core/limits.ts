// All limits of the service in one table, shared by documents, schemas and code.

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
    /**
     * Compiled expressions: bytes of a module, nested sums, modules in the cache of a thread, and the expected work,
     * in words of byte code, from which compiling saves time.
     */
    compiled: { bytes: 65_536, sumDepth: 30, modules: 256, words: 200_000 },
  },
  /** Length of a unit; maximum numerator and denominator of an exponent. */
  unit: { characters: 100, exponent: 100 },
  /** Maximum numbers of a series or field inline in a response; a larger one is linked. */
  inlineNumbers: 4_096,
  fieldDays: 30,
  /** Bytes of a receipt that holds all its arrays: less than a body, so that it can be sent to a replay. */
  selfContainedBytes: 990_000,
  /** Maximum bytes of a tool result; a longer one is truncated and linked. A computation is stored for `resultHours`. */
  toolResultBytes: 20_000,
  resultHours: 24,
  /** Of a computation for a model: characters of the summary, and numbers of all series and fields together. */
  toolSummaryCharacters: 800,
  toolNumbers: 64,
  /** Limits of kernel runs; `budgetNs` is the maximum estimate of a call in nanoseconds of one core. */
  kernel: {
    budgetNs: 60e9,
    deadlineMs: 90_000,
    /** Maximum estimate of a run in the request thread; posting it to a worker would cost more. */
    inlineNs: 300_000,
    /** Maximum runs in the queue, and runs of one owner, waiting or running. */
    queue: 64,
    perOwner: 16,
    /** Memory of one instance (asconfig.json, maximumMemory), and of all idle instances of one thread. */
    memoryBytes: 256 * 1024 * 1024,
    idleInstanceBytes: 64 * 1024 * 1024,
    chunkMs: 10,
    /** A kernel that has not returned this long after its deadline or cancellation is terminated with its worker. */
    terminationMs: 1_000,
  },
  /** Workers that verify and replay receipts: tasks in the queue, tasks of one caller, and JavaScript heap of each. */
  verdict: { workers: 2, queue: 64, perOwner: 4, heapMb: 192 },
  idempotencyHours: 24,
  demoKeyHours: 24,
  /** Requests per minute. */
  rate: {
    keyless: 120,
    demo: 600,
    free: 1_200,
    standard: 1_200,
    high: 6_000,
    playground: 30,
    /** Per hour. */ spinUp: 5,
    /** Per ten minutes. */ unlock: 5,
  },
  stream: {
    /** Concurrent streams: of one caller, and of all callers. */
    perCaller: 20,
    perNode: 2_000,
    heartbeatMs: 25_000,
    /** Interval at which a stream checks that its key is valid and its reader still has access. */
    reauthorizeMs: 60_000,
    /** Maximum frames that a reader may lag behind before it receives a gap instead. */
    backlog: 512,
    /** Timeout for the last frame of a stream. */
    closeMs: 1_000,
    /** WebSocket: bytes of a message and of unread responses; subscriptions and runs of one connection. */
    messageBytes: 64 * 1024,
    bufferedBytes: 1024 * 1024,
    subscriptions: 16,
    runs: 4,
  },
  chain: {
    /** Minimum ticks between two checkpoints of a machine. */
    checkpointTicks: 60,
    /** Rows validated per call. */
    validatedRows: { default: 1_000, max: 10_000 },
    /** Bytes of the canonical JSON of one row. */
    payloadBytes: 64 * 1024,
    /** Maximum developer keys and share tokens that are not revoked. */
    keys: 100,
    shares: 100,
    /** Lifetime of a read pass. */
    passMinutes: 15,
    /** Minimum ticks between two seals over all machines. */
    sealTicks: 60,
    /** Mothers and witnesses per machine, and the minimum ticks between two anchors or anchor keys. */
    anchors: { mothers: 16, witnesses: 8, everyTicks: 60 },
    /** Bytes of a submission to this node as a witness. */
    witnessBytes: 32 * 1024,
    /** Refusal rows per machine in a window of ticks, and kinds of refusals that wait to be written. */
    refusals: { rows: 20, ticks: 60, waiting: 256 },
    /** Window of analytics in ticks, about nine days, and its number of bins. */
    analytics: { ticks: 1_000_000, bins: 500 },
    /** Rows decrypted per call, and payload bytes after which a response ends. */
    decryptedRows: { default: 100, max: 1_000, bytes: 4_000_000 },
  },
  /** Maximum contents of a bundle: rows, payload characters, contract versions; bytes and depth of an imported file. */
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
    /** Maximum number of rate changes of a token. */
    segments: 1_000,
    /** Maximum number of tokens searched for an id. */
    searchedTokens: 50_000,
    /** Uploaded bytes, maximum side in pixels, stored bytes, and processing deadline of an avatar. */
    avatar: { bytes: 256 * 1024, side: 1_024, storedBytes: 1024 * 1024, deadlineMs: 15_000 },
  },
  /** Length and hits of an operator search; length and results of domain matching. */
  search: { characters: 200, hits: { default: 12, max: 40 }, textCharacters: 8_000, domains: { default: 5, max: 12 } },
  /** Listed readings of an oracle, and length of a source name. */
  oracles: { series: { default: 20, max: 100 }, sourceCharacters: 64 },
  contracts: {
    perMachine: 200,
    /** Maximum length of a chain of events that cause each other. */
    hops: 8,
    /** Length of the name of a token holder. */
    holderCharacters: 200,
    /**
     * Solver calls per transition, per change and per batch of due timers; deadline; bytes of a receipt inline in a
     * row.
     */
    solvers: {
      perTransition: 2,
      perChange: 8,
      perDueBatch: 256,
      maxStaleResults: 3,
      deadlineMs: 10_000,
      receiptBytes: 16 * 1024,
    },
    /** Rows read and steps made by a dry run or replay, deadline, listed results, and ticks ahead. */
    whatIf: { rows: 10_000, steps: 50_000, deadlineMs: 20_000, listed: 200, ahead: 2_000_000 },
    /** Rows of transitions and acts verified per call. */
    proof: { rows: 100_000 },
    /** Lifetime of a preview. */
    previewTicks: 5,
    /** Length of the text from which a contract is generated. */
    generate: { min: 8, max: 600 },
  },
  /** Requests to addresses given by users: timeout from DNS look-up to last byte, and bytes read of the response. */
  outbound: { timeoutMs: 5_000, answerBytes: 64 * 1024 },
  webhooks: {
    /** Maximum attempts of a delivery, over about three days. */
    attempts: 12,
    /** Concurrent requests: per node, per host, per machine. */
    inFlight: 32,
    perHost: 4,
    perMachine: 12,
    /** Overlap in which a replaced secret still signs. */
    secretOverlapHours: 24,
    /** Retention of finished deliveries for listing and redelivery. */
    retentionDays: 30,
  },
  folderCharacters: 64,
  /** Length of the name of an input or a constant. */
  keyCharacters: 64,
  pageSize: { default: 50, max: 200 },
} as const;
