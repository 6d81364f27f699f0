/** The same as in package.json, which a test compares. */
export const cliVersion = '0.1.0'
