// All limits of the service in one table, shared by documents, schemas and code.

export const LIMITS = {
  // The receipt of a curve of many runs has some 2,300 keys.
  body: { bytes: 1_000_000, depth: 32, keys: 4_000 },
  /** Time for the headers of a request, and for all of it with its body; how often connections are checked. */
  request: { headersMs: 10_000, completeMs: 30_000, checkMs: 5_000 },
  /**
   * Connections of one address and of the node; requests that wait on one of them for the answers before theirs.
   */
  connection: { perAddress: 512, perNode: 10_000, waitingRequests: 64 },
  expression: {
    characters: 640,
    depth: 64,
    nodes: 400,
    symbols: 14,
    sumTerms: 10_000,
    steps: 200_000,
    precise: 400_000,
    /** Steps of all precise evaluations of one request, a few seconds of a worker. */
    preciseTotal: 2_000_000,
    /**
     * Compiled expressions: bytes of a module, nested sums, modules in the cache of a thread, and the expected work,
     * in words of byte code, from which compiling saves time.
     */
    compiled: { bytes: 65_536, sumDepth: 30, modules: 256, words: 200_000 },
  },
  /** Samples of a propagation by Monte Carlo; fewer where the law has sums, whose terms count each time. */
  samples: { rows: 100_000, rowsWithSums: 4_096 },
  /**
   * The unknown of a law: pieces of its range, roots that are listed, and steps of all evaluations that look for them,
   * about a microsecond each.
   */
  unknown: { pieces: 4_096, roots: 24, steps: 600_000 },
  /**
   * A sweep: inputs, points, points of a sweep with an unknown, and kernel runs (of solvers, and of laws whose ± needs samples), whose records stand in the
   * receipt; bytes of run inputs that a self-contained receipt holds; points for which one token is billed.
   */
  sweep: { names: 2, points: 10_000, unknowns: 512, runs: 512, inlineRunBytes: 250_000, pointsPerToken: 1_000 },
  /** A question in words: characters, numbers by name, alternatives that are listed, least confidence. */
  auto: { characters: 1_000, constants: 64, alternatives: { default: 3, max: 10 }, threshold: 0.35 },
  /** Length of a unit; maximum numerator and denominator of an exponent. */
  unit: { characters: 100, exponent: 100 },
  /** Maximum numbers of a series or field inline in a response; a larger one is linked. */
  inlineNumbers: 4_096,
  /** Life of linked arrays: of filed runs, and of others. */
  fieldDays: 30,
  fieldMinutes: 60,
  /** Stored arrays and results: bytes of one address or account, of all, and the space that must stay free. */
  storedFields: {
    addressBytes: 32_000_000,
    accountBytes: 1_000_000_000,
    nodeBytes: 8_000_000_000,
    minFreeBytes: 1_000_000_000,
  },
  /** Free bytes of the database below which nothing long is stored, and below which callers write nothing. */
  freeSpace: { lowBytes: 256_000_000, fullBytes: 64_000_000 },
  /** Bytes of a receipt that holds all its arrays: less than a body, so that it can be sent to a replay. */
  selfContainedBytes: 990_000,
  /** Levels of a receipt: one less than of a body, in which it may be a field. */
  receiptDepth: 31,
  /** Maximum bytes of a tool result; a longer one is truncated and linked. A computation is stored for `resultHours`. */
  toolResultBytes: 20_000,
  resultHours: 24,
  /** Of a computation for a model: characters of the summary, and numbers of all series and fields together. */
  toolSummaryCharacters: 800,
  toolNumbers: 64,
  /**
   * Formulas of the solver sat: variables and words (literals, and the end of each clause); room for learnt clauses and
   * for a proof, in words; nodes of the second count of models.
   */
  sat: {
    variables: 200_000,
    words: 2_000_000,
    learntWords: 1_000_000,
    proofWords: 4_000_000,
    countedNodes: 2_000_000,
  },
  /** The solver zeta: largest t and number of a zero; zeros of a window that are counted, and listed. */
  zeta: { maxT: 5e6, maxNumber: 10_000_000, counted: 200_000, listed: 10_000 },
  /**
   * The solver grid: buses, generators and branches; branches times branches whose outages are computed, numbers in the
   * matrices of factors, buses that are drawn, and operations of the second solution.
   */
  grid: {
    buses: 10_000,
    generators: 10_000,
    branches: 20_000,
    outages: 100_000_000,
    factors: 1_000_000,
    drawn: 400,
    witness: 4e9,
  },
  /** The solver epi: people, groups, windows, rows of counts, stochastic runs, and events of all of them. */
  epi: { people: 1e10, rows: 10_000, groups: 16, windows: 64, runs: 10_000, events: 400_000_000 },
  /** The solver gauge: sites, sites along a direction, coupling, sweeps, and the largest side of Wilson loops. */
  gauge: { sites: 65_536, length: 256, beta: 1_000, sweeps: 200_000, side: 6 },
  /**
   * Meshes of the solver fea: elements of the finest mesh; entries of the factor of the coarsest; characters of an
   * outline, its corners and the elements of its mesh.
   */
  fea: { elements: 131_072, profile: 8_000_000, outlineCharacters: 8_000, corners: 400, outlineElements: 8_192 },
  /**
   * The solver kalman: states and channels; rows, and rows times squares of states; different steps between rows;
   * simulated runs, and rows of all of them.
   */
  kalman: {
    states: 8,
    channels: 4,
    rows: 100_000,
    numbers: 2_000_000,
    steps: 4_096,
    runs: 1_000,
    simulatedRows: 20_000_000,
  },
  /**
   * The solver dock: atoms of each structure, pairs of atoms, largest coordinate, local minimisations of a search, and poses
   * in the table.
   */
  dock: {
    receptorAtoms: 20_000,
    ligandAtoms: 500,
    pairs: 2_000_000,
    coordinate: 100_000,
    minimisations: 50_000,
    poses: 50,
  },
  /** Limits of kernel runs; `budgetNs` is the maximum estimate of a call in nanoseconds of one core. */
  kernel: {
    budgetNs: 60e9,
    deadlineMs: 90_000,
    /** Maximum estimate of a run in the request thread; posting it to a worker would cost more. */
    inlineNs: 300_000,
    /** Rank of workers behind the event loop of a node in production; see nice(1). */
    niceness: 10,
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
  /**
   * Runs that nodes share: from which estimate on; how many wait or run, of a tenant and in all; how many nodes begin one;
   * lease of the node that computes it; how long until its caller is told that it takes too long; how long its answer is
   * kept; how often a node looks for runs, and for the answers that it waits for; how long runs are left to workers first.
   */
  longRuns: {
    estimateNs: 2e9,
    perTenant: 16,
    all: 256,
    attempts: 3,
    leaseMs: 5_000,
    waitMs: 180_000,
    keptMs: 600_000,
    pollMs: 250,
    workersFirstMs: 400,
  },
  /**
   * Workers that replay receipts, and as many that verify them and find answers: tasks in the queue, replays and other
   * tasks of one tenant, and JavaScript heap of each.
   */
  verdict: { workers: 2, queue: 64, perOwner: 4, answersPerOwner: 16, heapMb: 192 },
  /**
   * PostgreSQL, in milliseconds: until a connection is made, one of the pool is free, a statement is cancelled by the
   * server, a connection that says nothing is dropped, a transaction without a statement is ended by the server, an idle
   * connection is closed, and `GET /readyz` gives up.
   */
  database: {
    connectMs: 5_000,
    acquireMs: 10_000,
    statementMs: 10_000,
    /** More than `statementMs`, so that a slow statement is not taken for a dead connection. */
    silenceMs: 12_000,
    /** A node that hangs in the middle of a transaction loses its locks. */
    idleInTransactionMs: 10_000,
    idleMs: 8_000,
    readyMs: 2_000,
  },
  /**
   * Time: how far a machine's newest row may be ahead of the clock; how often a node compares its clock with the
   * database's, after how long without it the time is not trusted, and when to ask again.
   */
  clock: { aheadTicks: 2, syncMs: 2_000, staleMs: 15_000, retrySeconds: 2 },
  idempotencyHours: 24,
  /** How long the id of an event makes a repeat return the first row. */
  eventKeyDays: 30,
  demoKeyHours: 24,
  /** Maximum keys of an account that are not revoked. */
  keysPerAccount: 100,
  /** Rates of a tenant: an account with all its keys, or an address. Requests per minute, by the tier of the key. */
  rate: {
    keyless: 120,
    demo: 600,
    free: 1_200,
    standard: 1_200,
    high: 6_000,
    playground: 30,
    /** New accounts with a machine, per hour. */ spinUp: 5,
    /** Machines of accounts, per hour. */ machine: 100,
    /** Demo keys, per hour. */ demoKey: 60,
    /** Keys of accounts, developer keys and share tokens, per hour. */ key: 100,
    /** Per ten minutes. */ unlock: 5,
    /** Requests for slugs that are taken, per hour. */ takenSlug: 100,
    /** Anchors of one identity in a machine that it is not a member of, per hour. */ anchor: 120,
    /** Reports of refusals in the chain of the node, per hour. */ nodeReport: 20,
    /** Bytes of long answers per minute: of an address without a key or with demo keys, and of an account. */
    addressBytes: 64_000_000,
    accountBytes: 512_000_000,
    /** Bytes per day that requests leave in the database: filed runs, answers for retries, what is written to machines. */
    addressStored: 128_000_000,
    accountStored: 16_000_000_000,
  },
  /** Bytes of a write, and of an answer for retries, that do not count: about as many as its own row. */
  uncountedBytes: 1_024,
  /**
   * Frequent rates are settled between nodes: parts of a limit after which a node tells the others, and that they may
   * not know; time to wait for the database, and after silence until it is asked again; tenants in memory.
   */
  sharedRate: { settleAt: 0.05, maxUnsettled: 0.1, waitMs: 500, retryMs: 5_000, tenants: 100_000 },
  /** Refusals of a tenant in a second that are sent at once; how many more wait at a time, and for how long. */
  refusal: { perSecond: 20, held: 256, delayMs: 500 },
  /**
   * Answers of at least `longBytes` are counted until they have left the process: those of one caller and of the node.
   * A reader has `graceMs`, and a second for every `bytesPerSecond`; a connection without any traffic has `idleMs`.
   */
  answer: {
    longBytes: 16_384,
    callerBytes: 32_000_000,
    nodeBytes: 512_000_000,
    graceMs: 10_000,
    bytesPerSecond: 32_768,
    idleMs: 180_000,
  },
  /** Messages of a NATS broker that a node has not written yet: their number, their bytes, and those of one tenant. */
  broker: { messages: 1_024, bytes: 32_000_000, tenantMessages: 256 },
  stream: {
    /** Concurrent streams: of one key and of all keys of a tenant, on all nodes; and of all callers on one node. */
    perCaller: 20,
    perTenant: 100,
    perNode: 2_000,
    /** Interval at which a node states its open streams, and how long a statement counts for the other nodes. */
    renewMs: 20_000,
    countedMs: 60_000,
    heartbeatMs: 25_000,
    /** Interval at which a stream checks that its key is valid and its reader still has access. */
    reauthorizeMs: 60_000,
    /** Maximum frames that a reader may lag behind before it receives a gap instead. */
    backlog: 512,
    /** Timeout for the last frame of a stream. */
    closeMs: 1_000,
    /**
     * WebSocket: bytes of a message, its fragments, and the pieces in which one of them arrives; messages that wait for
     * those before them; pings and pongs of a client between two heartbeats.
     */
    messageBytes: 64 * 1024,
    messageFragments: 64,
    framePieces: 1_024,
    waitingMessages: 256,
    controlFrames: 100,
    /** Bytes of unread responses, and of all that is unread; subscriptions and runs of one connection. */
    bufferedBytes: 1024 * 1024,
    maxBufferedBytes: 8 * 1024 * 1024,
    subscriptions: 16,
    runs: 4,
  },
  /** Runs that stream frames. */
  live: {
    /** Minimum interval between two frames, and between two messages about them to a model. */
    frameMs: 100,
    messageMs: 500,
    /** Share of the event loop that drawing the frames of one run may take. */
    drawShare: 0.05,
    /** Numbers of a frame in the kernel, above which only fractions are sent; of a drawing; of an array in decimal. */
    viewNumbers: 262_144,
    numbers: 8_192,
    decimalNumbers: 64,
    /** What a run keeps for readers that are behind: frames, and bytes of all of them. */
    ringFrames: 64,
    ringBytes: 1_000_000,
    /** How long a run goes on without a reader, and how long its result is kept. */
    abandonedMs: 15_000,
    keptMs: 60_000,
    /** Runs of a tenant, running or kept; bytes of all kept runs of a node. */
    perTenant: 32,
    keptBytes: 128_000_000,
  },
  chain: {
    /** Minimum ticks between two checkpoints of a machine. */
    checkpointTicks: 60,
    /** How long a row waits before its head is signed: with what follows, below checkpointTicks. */
    signAfterTicks: 40,
    /** Rows validated per call. */
    validatedRows: { default: 1_000, max: 10_000 },
    /** Bytes of the canonical JSON of one row. */
    payloadBytes: 64 * 1024,
    /** Maximum developer keys and share tokens that are not revoked. */
    keys: 100,
    shares: 100,
    /** Members of a machine. */
    members: 10_000,
    /** Lifetime of a read pass. */
    passMinutes: 15,
    /** Minimum ticks between two seals over all machines. */
    sealTicks: 60,
    /** Ticks after which a node makes one by itself, about eight minutes. */
    sealEveryTicks: 600,
    /**
     * Mothers and witnesses per machine, and the minimum ticks between two anchors or anchor keys. Identities that a
     * mother lists. Rows that anchors may leave in a mother in a window of ticks, about an hour: those of others than
     * its members until there are `other` in all, those of members until there are `member`.
     */
    anchors: {
      mothers: 16,
      witnesses: 8,
      everyTicks: 60,
      listed: 64,
      window: { ticks: 4_633, rows: { other: 600, member: 3_000 } },
    },
    /** Bytes of a submission to this node as a witness. */
    witnessBytes: 32 * 1024,
    /** Refusal rows per machine in a window of ticks, and kinds of refusals that wait to be written. */
    refusals: { rows: 20, ticks: 60, waiting: 256 },
    /** Window of analytics in ticks, about nine days, and its number of bins. */
    analytics: { ticks: 1_000_000, bins: 500 },
    /** Rows decrypted per call, and payload bytes after which a response ends. */
    decryptedRows: { default: 100, max: 1_000, bytes: 4_000_000 },
  },
  /**
   * The newest rows of each machine that always stay in the database, the largest settings of a machine, bytes of files
   * of the archive in memory, and the ranges of a machine that are moved in one turn.
   */
  archive: { keptRows: 1_024, maxRows: 1_000_000_000, maxDays: 36_500, cacheBytes: 64_000_000, rangesPerTurn: 16 },
  /**
   * Maximum contents of a bundle: rows, bytes of payloads, contract versions and bytes of their definitions; bytes and
   * depth of an imported file.
   */
  bundle: {
    rows: 10_000,
    payloadBytes: 16_000_000,
    versions: 1_000,
    versionBytes: 4_000_000,
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
  /** Length and hits of an operator search; length and results of domain matching; length of a search of filed runs. */
  search: {
    characters: 200,
    hits: { default: 12, max: 40 },
    textCharacters: 8_000,
    domains: { default: 5, max: 12 },
    runCharacters: 100,
  },
  /** Listed readings of an oracle, and length of a source name. */
  oracles: { series: { default: 20, max: 100 }, sourceCharacters: 64 },
  contracts: {
    /** Active and paused contracts of one machine; with its failed ones, which stay in memory to be resumed. */
    perMachine: 200,
    inMemory: 1_000,
    /** Versions of one contract, and bytes of their definitions, after which it takes no more. */
    versions: { perContract: 1_000, bytes: 16_000_000 },
    /**
     * Contracts in memory: bytes of all of a node by estimate, SVC_RUNTIME_MB by default, and changes that wait for some
     * to be loaded.
     */
    runtimes: { bytes: 256_000_000, waiting: 20_000 },
    /** Maximum length of a chain of events that cause each other. */
    hops: 8,
    /** Refusals, and as many reasons why it was ignored, in the answer to an event. */
    explained: 100,
    /** Events of one batch. */
    batch: 100,
    /**
     * Instances by key: running ones of one machine, length of a key, those of one contract in memory, and due ones that
     * one wake reads.
     */
    instances: { perMachine: 1_000_000, keyCharacters: 128, inMemory: 2_000, dueAtOnce: 250, samples: 250 },
    /** Open proposals of one contract. */
    proposals: 4,
    /** What a migration maps, as much as a definition may have; `dropped` are its variables, collections and stopwatches. */
    migration: { states: 32, variables: 32, clocks: 8, dropped: 48 },
    /** Length of the name of a token holder. */
    holderCharacters: 200,
    /**
     * Collections of one contract: how many, entries of each, bytes of all as canonical JSON; length of keys and texts;
     * recipients of one distribution.
     */
    collections: {
      perContract: 8,
      entries: 1_000,
      bytes: 64 * 1024,
      keyCharacters: 128,
      textCharacters: 500,
      recipients: 100,
    },
    /**
     * Named windows of one contract; of those, windows whose filter reads the context, and the newest events that each of
     * these keeps, since a change of the context filters them again; and samples of a machine between two segments.
     */
    windows: { perContract: 8, refiltered: 2, refilteredEvents: 1_000, segmentSamples: 500 },
    /**
     * Events to other machines: of one transition, bytes of a payload, machines that one listens to; length of a chain
     * of machines that cause each other's events, and ticks (a day) after which an event is given up.
     */
    sends: { perTransition: 4, payloadBytes: 16 * 1024, listed: 64, hops: 8, expiryTicks: 111_197 },
    /**
     * Activities: of one transition; pending ones of a machine and of a contract; tries, by default and at most; ticks
     * before the second try by default, and between two at most (a day); fields of a response, bytes of what is sent, of
     * a field of text, and of a response that its row holds; those that run at once on a node and of one machine.
     */
    calls: {
      perTransition: 4,
      perMachine: 100,
      perContract: 50,
      tries: 3,
      maxTries: 10,
      backoffTicks: 8,
      maxDelayTicks: 111_197,
      fields: 16,
      payloadBytes: 16 * 1024,
      textCharacters: 500,
      recordedBytes: 4 * 1024,
      inFlight: 16,
      ofMachine: 4,
    },
    /** Length of the salt of a commitment: 22 characters of base64 or 32 of hexadecimal hold 128 bits. */
    saltCharacters: { min: 22, max: 128 },
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
    /**
     * Work of guards and actions in words of byte code, of about 12 ns: of one change; per tick of one machine, of all
     * machines of a node, and of each machine at least; and after which the event loop gets a turn. Ticks between two
     * wakes of a machine whose owner has stored what it may in a day.
     */
    guards: {
      perChange: 3_000_000,
      machinePerTick: 6_000_000,
      nodePerTick: 12_000_000,
      leastPerTick: 100_000,
      perTurn: 500_000,
      usedUpTicks: 60,
    },
    /**
     * Rows and bytes of payloads read and steps made by a dry run or replay, deadline, listed results, ticks ahead, and
     * trials at a time.
     */
    whatIf: {
      rows: 100_000,
      bytes: 64_000_000,
      steps: 500_000,
      deadlineMs: 20_000,
      listed: 200,
      ahead: 2_000_000,
      perMachine: 8,
    },
    /** Rows of a chain verified per call of a member, and of anybody else; rows of one page. */
    proof: { rows: 500_000, publicRows: 10_000, page: 1_000 },
    /**
     * A definition that is being written: scenarios of one request, steps of each, and how often a step is sent; stimuli
     * of all; their deadline; what one report lists of a step.
     */
    draft: {
      scenarios: 50,
      steps: 200,
      times: 10_000,
      stimuli: 100_000,
      instances: 1_000,
      deadlineMs: 10_000,
      listed: 100,
    },
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
  /** Bytes of the texts on one page of a list, after which it ends; of rows that one call validates. */
  pageBytes: 1_000_000,
  validatedBytes: 16_000_000,
  folderCharacters: 64,
  /** Length of the name of an input or a constant. */
  keyCharacters: 64,
  pageSize: { default: 50, max: 200 },
} as const;
