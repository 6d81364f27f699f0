import { type TSchema, Type } from 'typebox'
import { orNull, Timestamp } from '../../platform/api/declare/fields.ts'

export const PreviousSecretEndsAt = orNull(Timestamp('Until when the secret before the newest one is also accepted.'), {
  examples: [null],
})
export const ProviderCreatedAt = Timestamp('When the provider was created.')
export const ProviderDisabledAt = orNull(Timestamp("Since when the provider's notifications are rejected."), {
  examples: [null],
})
export const GeneratedSecret = orNull(
  Type.String({ description: 'The signing secret, shown only once.', examples: ['whsec_shown-this-once'] }),
)

/** Requires and forbids members by the kind of a new provider. */
export function membersOfKind(kind: string, members: { required?: string[]; properties?: Record<string, false> }) {
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  return { if: { required: ['kind'], properties: { kind: { const: kind } } }, then: members as TSchema }
}
