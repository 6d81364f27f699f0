/** Must equal the version in package.json; a test checks it. */
export const cliVersion = '0.1.0'
