import { Type } from 'typebox'
import { Named, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const RequestEntry = Named('LoggedRequest', {
  id: Uuid('The log entry.'),
  request_id: Uuid('The X-Request-Id of the response.'),
  responded_at: Timestamp('When the response was sent.'),
  method: Type.String({ examples: ['POST'] }),
  path: Type.String({
    description: 'The path with parameter names instead of values.',
    examples: ['/api/offerings/:offeringId/orders'],
  }),
  status: Type.Integer({ minimum: 100, maximum: 599, examples: [201] }),
  code: orNull(Type.String({ description: 'The error code of a failed request.' }), { examples: [null] }),
  duration_ms: Type.Number({ minimum: 0, examples: [12.5] }),
  idempotency_key: orNull(Type.String({ description: 'The X-Idempotency-Key of the request.' }), {
    examples: [null],
  }),
})

export const RequestPage = Named('RequestPage', {
  requests: Type.Array(RequestEntry, { maxItems: 50 }),
  next: orNull(Type.String({ description: 'Link to older requests. Null on the last page.' }), { examples: [null] }),
})
