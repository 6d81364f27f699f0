/** Encoding in which the bytes of a file are sealed as text. In a PDF, each character stands for one byte. */
export const fileEncodings = { json: 'utf8', csv: 'utf8', pdf: 'latin1' } as const
