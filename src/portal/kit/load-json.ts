// Loads JSON files of this build. Their addresses change with their contents, so an answer is kept until reload.

const loaded = new Map<string, Promise<unknown>>();

/** @throws Error if the file cannot be fetched; the next call tries again */
export function loadJson<Content>(address: string): Promise<Content> {
  const content = loaded.get(address) ?? fetchJson(address);
  loaded.set(address, content);
  content.catch(() => loaded.delete(address));
  return content as Promise<Content>;
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with status ${response.status}.`);
  return response.json();
}
