/** What is left to send of a text that changed while its beginning was sent. */
export const leftUnsent = (sent: string, now: string): string =>
  now.startsWith(sent) ? now.slice(sent.length).trimStart() : now
