/**
 * Formats a name for a mail. Users choose names, so a mail marks where one begins and ends, and keeps it on one line:
 * text or a link in a name is then clearly not ours.
 */
export function quotedName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  return `"${plain.replaceAll('"', "'")}"`
}
