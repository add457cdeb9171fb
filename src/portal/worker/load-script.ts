// Loads a script of this build when a task needs it.

/** The worker cannot recover: browsers do not fetch a module again that failed. */
export class ScriptUnavailable extends Error {}

/** @throws ScriptUnavailable if the script, or one that it imports, cannot be fetched */
export async function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const message =
      'A script of this page could not be fetched. You may be offline, or the node was updated: try again, or reload the page.';
    throw new ScriptUnavailable(message, { cause });
  }
}
