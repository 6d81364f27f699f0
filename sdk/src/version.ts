/** The same as in package.json, which a test compares. */
export const sdkVersion = '0.1.0'

export const userAgent = `investor-token-sdk/${sdkVersion}`
