import { Type } from 'typebox'

/** The job that burns what a redemption has paid. It is declared here because the bank's result enqueues it. */
export const burnQueue = {
  name: 'burn-redeemed',
  payload: Type.Object({ tenant_id: Type.String(), distribution_id: Type.String() }),
  keyOf: ({ distribution_id: distributionId }: { distribution_id: string }) => distributionId,
} as const
