import { Type } from 'typebox'
import { orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const closed = { additionalProperties: false }

const LoggedRequest = Type.Object(
  {
    id: Uuid('The entry of the log.'),
    request_id: Uuid('The X-Request-Id of the answer.'),
    answered_at: Timestamp('When it was answered.'),
    method: Type.String({ examples: ['POST'] }),
    path: Type.String({
      description: 'The path with the names of its parameters, not their values.',
      examples: ['/api/offerings/:offeringId/orders'],
    }),
    status: Type.Integer({ minimum: 100, maximum: 599, examples: [201] }),
    code: orNull(Type.String({ description: 'The code of the error, where it was refused.' }), { examples: [null] }),
    duration_ms: Type.Number({ minimum: 0, examples: [12.5] }),
    idempotency_key: orNull(Type.String({ description: 'The key that it carried.' }), { examples: [null] }),
  },
  { ...closed, title: 'LoggedRequest' },
)

export const RequestPage = Type.Object(
  {
    requests: Type.Array(LoggedRequest, { maxItems: 50 }),
    next: orNull(Type.String({ description: 'Where older ones are, or null where there is none.' }), {
      examples: [null],
    }),
  },
  { ...closed, title: 'RequestPage' },
)
