const signInPage = 'the pages for signing in use it, which work without the console'
const passkeyPage = 'the page /console/passkey uses it, which works without the console'
const devicePage = 'the page /console/device uses it, which works without the console'
const device = 'the command line calls it, not a person'

/** Reasons why no screen of the console uses an operation. A test fails if an entry is missing or stale. */
export const operationsWithoutScreen: Readonly<Record<string, string>> = {
  listSignInMethods: signInPage,
  startProviderSignIn: signInPage,
  openInvitation: signInPage,
  startInvitationPasskey: signInPage,
  acceptInvitation: signInPage,
  useEmergencyLink: signInPage,
  startPasskeyRegistration: passkeyPage,
  registerPasskey: passkeyPage,
  removePasskey: passkeyPage,
  openDeviceAuthorization: devicePage,
  confirmDeviceAuthorization: devicePage,
  startDeviceAuthorization: device,
  getDeviceToken: device,
  getWebhookEndpoint: 'the list of endpoints has all of its members',
  getWallet: 'the list of wallets has all of its members',
  listAllStatementEntries:
    'the work list has the entries that need a person; all others are on the pages of their statements',
  getTenantSummary: 'the home page shows what waits, and the page of an offering its sums',
}
