import { type TObject, Type } from 'typebox'
import type { Transaction } from '../../postgres/transaction.ts'
import type { DeclaredError } from '../errors/declare-errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { Closed } from './fields.ts'

/** A resource that an operation decides about. Callers may state the status in which they saw it. */
export interface DecidedResource {
  /** Name of the resource in messages. The first path parameter contains its id. */
  readonly subject: string
  readonly statuses: readonly string[]
  /** Locks the resource and returns its status; null if it does not exist, which the operation itself rejects. */
  readonly statusOf: (
    request: { readonly params: Readonly<Record<string, string>>; readonly body: unknown },
    context: { readonly tenantId: string; readonly tx: Transaction },
  ) => Promise<string | null>
}

export interface DecisionHeader {
  /** Adds the query parameter `expected_status`; the pipeline compares it before the operation runs. */
  readonly decides?: DecidedResource
  /** Up to 100 of these can be requested at once, see bulkOperation. */
  readonly bulk?: true
}

interface Decidable extends DecisionHeader {
  readonly query?: TObject
  readonly errors: readonly DeclaredError[]
}

/** Two people who decide at once have seen the same status; the later one must learn that it has changed. */
export function withDecision<H extends Decidable>(header: H): H {
  const { decides, query, errors } = header
  if (!decides) return header
  const expected = Type.Optional(
    Type.Enum([...decides.statuses], {
      description: `The status in which you have seen the ${decides.subject}. If it has changed since: 409.`,
    }),
  )
  return {
    ...header,
    query: Closed({ ...query?.properties, expected_status: expected }),
    errors: [...errors, requestErrors.status_changed],
  }
}
