// Names the owner of a trusted key in the claim about it.

/** @param owner  sentence on whose key it is, for the reader */
export function withKeyOwner<Row extends { readonly claim: string; readonly ok: boolean | null }>(
  claims: readonly Row[],
  owner: string,
): Row[] {
  return claims.map((one) => (one.claim === 'key pinned' && one.ok === true ? { ...one, reason: owner } : one));
}
