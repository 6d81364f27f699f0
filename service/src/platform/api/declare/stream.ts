import { type TSchema, Type } from 'typebox'
import { Closed } from './fields.ts'
import type { OperatorHeader, OperatorStream } from './operation.ts'
import type { StreamSource } from './stream-source.ts'

type DeclaredParts = Pick<
  OperatorHeader,
  'id' | 'summary' | 'description' | 'tag' | 'path' | 'duty' | 'offering' | 'errors'
>

/** Declares a stream. `message` describes the data of one message. */
export function operatorStream(
  { message, ...header }: DeclaredParts & { message: TSchema },
  source: StreamSource,
): OperatorStream {
  const after = Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Start after this message; by default after the latest one. The header `Last-Event-ID` wins over it.',
  })
  return {
    kind: 'stream',
    header: {
      ...header,
      method: 'GET',
      idempotency: 'none',
      query: Closed({ after: Type.Optional(after) }),
      success: { status: 200, body: message, stream: 'text/event-stream' },
    },
    source,
  }
}
