/** How an operator judges a transfer on the chain that has no request. */
export const transferVerdicts = ['accepted', 'reported'] as const
export type TransferVerdict = (typeof transferVerdicts)[number]
