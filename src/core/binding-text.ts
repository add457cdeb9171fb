// Bindings as people write them: `zid:…`, `key:…`, `ed25519:…`, or the value alone, whose length tells what it is.

type Given = { readonly zid: string } | { readonly ed25519: string } | { readonly key: string };

const FORMS: readonly (readonly [RegExp, (value: string) => Given])[] = [
  [/^(?:zid:)?([0-9a-f]{32})$/, (zid) => ({ zid })],
  [/^(?:ed25519:)?([0-9a-f]{64})$/, (ed25519) => ({ ed25519 })],
  [/^(?:key:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, (key) => ({ key })],
];

export const BINDING_EXPECTED =
  'a ZID (32 hexadecimal digits), an Ed25519 public key (64) or the id of a developer key is expected';

/** One binding; undefined if the text is none. */
export function parseBinding(text: string): Given | undefined {
  for (const [form, make] of FORMS) {
    const [, value] = form.exec(text.trim()) ?? [];
    if (value !== undefined) return make(value);
  }
  return undefined;
}

/** Several bindings, between commas or spaces; undefined if one of them is none. */
export function parseBindings(text: string): Given[] | undefined {
  const parsed = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseBinding);
  const found = parsed.filter((one) => one !== undefined);
  return found.length === parsed.length && found.length > 0 ? found : undefined;
}
