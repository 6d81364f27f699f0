/** Files are sealed as text, which this makes of their bytes. A character of a PDF is a byte. */
export const fileEncodings = { json: 'utf8', csv: 'utf8', pdf: 'latin1' } as const
