/** Must equal the version in package.json; a test checks it. */
export const sdkVersion = '0.1.0'

export const userAgent = `investor-token-sdk/${sdkVersion}`
