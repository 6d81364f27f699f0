/** Descriptions of the resources for the help. */
export const nouns: Record<string, string> = {
  accounts: 'investors: persons and companies',
  'benefiting-persons': 'beneficial owners of a company account',
  offerings: 'tokens for sale',
  eligibility: 'what an account needs to buy an offering',
  orders: 'orders of an account or an offering, and their status',
  transfers: 'requests to move units from one wallet to another',
  'register-extracts': 'what the register says about a holder, as files',
  wallets: 'wallets of an account',
  balances: 'token balances of the wallets of an account',
  transactions: 'token transfers to and from the wallets of an account',
  entitlements: 'what coupons, dividends and redemptions pay to an account',
  events: 'events of the tenant, in order',
  requests: 'log of the requests of this credential',
  simulate: 'payments, approvals, distributions, deadlines and failures on demand (development only)',
}
