// One JSON file of a registry.

export interface JsonFile {
  /** Path of the file, for messages. */
  readonly path: string;
  /** The same below the folder, without `.json` and with `/` between its parts. */
  readonly name: string;
  readonly content: unknown;
}
