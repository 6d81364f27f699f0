/** An operator's verdict on a transfer that has no request. */
export const transferVerdicts = ['accepted', 'reported'] as const
export type TransferVerdict = (typeof transferVerdicts)[number]
