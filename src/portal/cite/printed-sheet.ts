// Sheet that is printed with a result beside what the page shows: the inputs, and the receipt with a QR code of its link.

import { h } from 'preact';
import '../style/cite.css';
import { previewValue } from '../../protocol/words/preview.ts';
import { fact } from '../kit/fact.ts';
import { formatExact, groupHex, withUnit } from '../kit/format.ts';
import { measuredText } from '../kit/measured-value.ts';
import { qrCode } from '../qr/qr-code.ts';
import type { CitedReceipt, RunResult } from '../worker/messages.ts';
import { useCited } from './use-cited.ts';

export interface PrintedSheetProps {
  /** Makes the citation; undefined without a receipt. */
  readonly load: (() => Promise<CitedReceipt>) | undefined;
  /** Of this browser, whose inputs are printed; undefined where the page shows them itself. */
  readonly result: RunResult | undefined;
}

export function PrintedSheet({ load, result }: PrintedSheetProps) {
  const { cited } = useCited(load);
  return h(
    'div',
    { class: 'printed' },
    result === undefined ? null : h(PrintedInputs, { result }),
    cited === undefined ? h(NoReceipt, { result }) : h(PrintedReceipt, { cited }),
  );
}

function PrintedInputs({ result: { pure, inputUnits } }: { readonly result: RunResult }) {
  const { inputs, consts, units = {}, uncertainties = {} } = pure;
  const given = Object.entries({ ...inputs, ...consts });
  return h(
    'section',
    { class: 'printed-inputs' },
    h('h2', null, 'Inputs'),
    h(
      'dl',
      null,
      given.map(([name, value]) => fact(name, inputText(value, units[name] ?? inputUnits[name], uncertainties[name]))),
    ),
  );
}

function inputText(value: unknown, unit = '1', uncertainty: number | undefined): string {
  if (typeof value !== 'number') return previewValue(value);
  return uncertainty === undefined ? withUnit(formatExact(value), unit) : measuredText({ value, uncertainty, unit });
}

/** Of a result that has none a print says so. */
function NoReceipt({ result }: { readonly result: RunResult | undefined }) {
  if (result === undefined) return null;
  return h(
    'section',
    { class: 'printed-receipt' },
    h('h2', null, 'No receipt'),
    h(
      'dl',
      null,
      fact('Kernel SHA-256', groupHex(result.pure.kernel_sha256)),
      fact('Computed by', 'a browser alone: no server has computed and signed this result'),
    ),
  );
}

function PrintedReceipt({ cited }: { readonly cited: CitedReceipt }) {
  const { sha256, kernelSha256, keyid, url, date, title } = cited;
  return h(
    'section',
    { class: 'printed-receipt' },
    url === undefined ? null : h(QrCode, { text: url }),
    h(
      'div',
      null,
      h('h2', null, 'Receipt'),
      h(
        'dl',
        null,
        fact('Result', title),
        fact('Receipt SHA-256', groupHex(sha256)),
        fact('Kernel SHA-256', groupHex(kernelSha256)),
        fact('Seal key', keyid ?? 'missing'),
        date === undefined ? null : fact('Sealed', `${date.text}, by the signer’s clock`),
      ),
      url === undefined
        ? null
        : h(
            'p',
            null,
            'The code opens the Verify page for this receipt. The receipt itself is a file (receipt.json, or under Runs of the key that filed it); the page says whether a file is this receipt, and checks it. ',
            h('span', { class: 'printed-link' }, url),
          ),
    ),
  );
}

/** Modules around the code that stay light. */
const QUIET = 4;

function QrCode({ text }: { readonly text: string }) {
  const code = qrCode(text);
  if (code === undefined) return null;
  const at = Array.from({ length: code.size }, (_, index) => index);
  const path = at.flatMap((y) => at.flatMap((x) => (code.isDark(x, y) ? `M${x} ${y}h1v1h-1z` : []))).join('');
  const side = code.size + 2 * QUIET;
  return h(
    'svg',
    {
      class: 'qr-code',
      viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`,
      role: 'img',
      'aria-label': `QR code of ${text}`,
      'shape-rendering': 'crispEdges',
    },
    h('path', { d: path }),
  );
}
