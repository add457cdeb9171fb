// Cells of comma-separated values (RFC 4180).

/** The text as a cell: in quotes where it needs them. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
