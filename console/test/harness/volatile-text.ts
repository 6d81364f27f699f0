const hex = '[0-9a-fA-F]'
const month = '[A-Z][a-z]{2}'
const relativeTime = /\b(this minute|yesterday|today|tomorrow|(in )?\d+ (minute|hour|day)s?( ago)?)\b/g

/**
 * Texts that differ from run to run: the pattern that finds them, their name in a snapshot, and a sample of similar
 * width that replaces them in a picture.
 */
export const volatileTexts: readonly { readonly pattern: RegExp; readonly name: string; readonly sample: string }[] = [
  {
    pattern: new RegExp(`${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`, 'g'),
    name: '‹id›',
    sample: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  },
  { pattern: new RegExp(`\\b(0x)?${hex}{4,8}…(${hex}{4}\\b)?`, 'g'), name: '‹id›', sample: 'aaaaaa…aaaa' },
  { pattern: new RegExp(`\\b0x${hex}{40,64}\\b`, 'g'), name: '‹id›', sample: `0x${'a'.repeat(40)}` },
  { pattern: new RegExp(`\\b(Olga |p-|k-)${hex}{8}\\b`, 'g'), name: '$1‹id›', sample: '$1aaaaaaaa' },
  // Nonces.
  { pattern: /\b\d{6,9}\b/g, name: '‹number›', sample: '100000000' },
  { pattern: /\bRF\d{2}[A-Z0-9]{6,}\b/g, name: '‹reference›', sample: 'RF00AAAAAAAAAAAAAA' },
  {
    pattern: new RegExp(`\\b${month} \\d{1,2}, \\d{4}, \\d{1,2}:\\d{2}\\s[AP]M`, 'g'),
    name: '‹time›',
    sample: 'Jan 2, 2026, 3:04 PM',
  },
  { pattern: new RegExp(`\\b${month} \\d{1,2}, \\d{4}`, 'g'), name: '‹time›', sample: 'Jan 2, 2026' },
  { pattern: /\b\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?/g, name: '‹time›', sample: '2026-01-02' },
  { pattern: relativeTime, name: '‹time›', sample: '3 hours ago' },
]
