// Schemas of a receipt in words and of the verdict on it (protocol/words).

import { z } from 'zod';

const Line = z.strictObject({
  kind: z.string(),
  label: z.string().describe('In words: `Input v`.'),
  text: z.string().describe('What the receipt says: `90 km/h`. Only this can be signed.'),
  added: z.array(z.string()).describe('What this node adds: names, conversions, roundings. Never signed.'),
});

export const ReceiptWords = z
  .strictObject({ lines: z.array(Line), warnings: z.array(z.string()) })
  .meta({ id: 'ReceiptWords', description: 'A receipt in words. The texts are safe to display; escape them in HTML.' });

export const ReceiptVerdict = z
  .strictObject({
    verdict: z.enum(['good', 'partial', 'unknown_key', 'unsigned', 'bad']),
    title: z.string(),
    checked: z.array(z.string()),
    failed: z.array(z.string()),
    unchecked: z.array(z.string()),
    coverage: z.string().describe('What the signature covers.'),
  })
  .meta({ id: 'ReceiptVerdict', description: 'What was checked, what failed, and what was not checked.' });
