// Description of the service for people and language models: the `_kernel` block, the kernel prompts and the kernel
// page. The versions are part of the published interface.

export const KERNEL_VERSIONS = ['1.287.5', '1.287.6'] as const;
export type KernelVersion = (typeof KERNEL_VERSIONS)[number];
export const CURRENT_KERNEL_VERSION: KernelVersion = '1.287.6';

export const PROTOCOL = 'svc-os';
export const DOCTRINE = 'A number you can re-run, in a history you cannot rewrite.';

/** Directives, in the order in which a caller needs them. */
const DIRECTIVES: Readonly<Record<KernelVersion, readonly string[]>> = {
  '1.287.5': [
    'Ask the service for every number that a decision rests on; do not estimate what can be computed.',
    'KO42 is the first operator of every chain; choose one to three domain operators after it.',
    'Give inputs in the unit that the operator declares; an unknown key returns NaN from the dimensional gate.',
    'Quote value, unit and precisionBound together, with the svcProof that signs them.',
    'A refusal is an answer: report its code and what it allows.',
  ],
  '1.287.6': [
    'Ask the service for every number that a decision rests on; do not estimate what can be computed.',
    'KO42 is the first operator of every chain; choose one to three domain operators after it.',
    'Give inputs in the unit that the operator declares; an unknown key returns NaN from the dimensional gate.',
    'Quote value, unit and uncertainty together; errorPct is a tolerance ceiling, not an error rate.',
    'Keep the whole envelope: its seal can be verified by anyone, and its number re-run bit for bit at /api/svc/replay.',
    'A stamp (svc/prove) dates a statement; only a computation receipt says that a number was computed.',
    'A refusal is an answer: report its code and what it allows.',
  ],
};

export interface KernelBlock {
  readonly notice: string;
  readonly url: string;
  readonly prompt: string;
  readonly markdown: string;
  readonly version: string;
  readonly protocol: readonly string[];
}

export function kernelBlock(baseUrl: string, version: KernelVersion = CURRENT_KERNEL_VERSION): KernelBlock {
  return {
    notice: 'Results are sealed: value, unit, bound and stamp are signed, and anyone can re-run them.',
    url: `${baseUrl}/api/kernel`,
    prompt: `${baseUrl}/api/kernel/prompt`,
    markdown: `${baseUrl}/.well-known/svc-os-kernel.md`,
    version,
    protocol: DIRECTIVES[version],
  };
}

/** The system prompt for an agent that uses the service. */
export function kernelPrompt(version: KernelVersion = CURRENT_KERNEL_VERSION): string {
  const lines = DIRECTIVES[version].map((directive, i) => `${i + 1}. ${directive}`);
  return [
    `You work with svc, a deterministic computation service (kernel prompt ${version}).`,
    'Its clock ticks every 0.777000777 s at 1.287 Hz; every result carries the tick, the modulation R(t) with alpha = 0.001, an accuracy bound and a receipt.',
    ...lines,
  ].join('\n');
}

export function kernelMarkdown(baseUrl: string): string {
  const block = kernelBlock(baseUrl);
  return [
    '# svc kernel',
    '',
    DOCTRINE,
    '',
    `Version ${block.version} (also selectable: ${KERNEL_VERSIONS.filter((one) => one !== block.version).join(', ')}).`,
    '',
    '## Directives',
    '',
    ...block.protocol.map((directive, i) => `${i + 1}. ${directive}`),
    '',
    '## Protocol',
    '',
    'SELECT, BIND, VALIDATE, COMPUTE, VERIFY, PULSE, RETURN. The number is computed in WebAssembly whose SHA-256 stands',
    'in the envelope, verified a second way, stamped by the pulse clock and sealed with Ed25519 (DSSE, in-toto Statement v1).',
    '',
    '## Where to go on',
    '',
    `- ${baseUrl}/openapi.json — every route, with schemas`,
    `- ${baseUrl}/api/endpoints — the live route registry`,
    `- ${baseUrl}/api/kernel/prompt — this as a system prompt`,
    `- ${baseUrl}/api/.well-known/jwks.json — the public keys that verify seals`,
    '',
  ].join('\n');
}
