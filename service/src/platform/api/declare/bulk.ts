import { type TProperties, Type } from 'typebox'
import { exampleOf } from './example.ts'
import { Closed, orNull, Uuid } from './fields.ts'
import type { OperatorCellOperation } from './operation.ts'

const bulkItemsMax = 100

/** An item of a bulk request: the path parameters in snake case, and the query and body of a single request. */
export interface BulkItem {
  readonly [member: string]: unknown
  readonly expected_status?: string
  readonly body?: unknown
}

/** The result of one item: what a single request would have returned. */
export interface BulkResult {
  readonly status: number
  readonly result: unknown
  readonly approval_id: string | null
  readonly error: { readonly type: string; readonly message: string; readonly code: string } | null
}

/**
 * Declares the operation that runs another one for up to 100 items; the other declares `bulk: true`. Each item has its
 * own transaction, audit entries, approval and result, so that one that fails does not undo the others.
 */
export function bulkOperation(item: OperatorCellOperation): OperatorCellOperation {
  const { header } = item
  if (!header.bulk) throw new Error(`${header.id} does not declare bulk`)
  return {
    kind: 'operator',
    database: 'cell',
    item,
    run: () => Promise.reject(new Error('the pipeline runs the items of a bulk operation')),
    header: {
      id: `bulk${header.id.slice(0, 1).toUpperCase()}${header.id.slice(1)}`,
      summary: `${header.summary}: many at once`,
      description:
        `Runs \`${header.id}\` for each item, one after the other, and returns a result for each in the same order: ` +
        'the status and the body that a single request would have got, also 202 for an item that waits for a second ' +
        'person. Each item counts as a request against the rate limit: one above it gets 429, and can be sent again. ' +
        'The response is 200 even if items failed. With an idempotency key, sending the same items again ' +
        'repeats none that has succeeded.',
      ...(header.tag === undefined ? {} : { tag: header.tag }),
      method: 'POST',
      path: `/bulk/${header.id}`,
      duty: header.duty,
      offering: 'none',
      approval: 'never',
      idempotency: 'optional',
      body: bodyOf(item),
      ...examplesOf(item),
      success: { status: 200, body: resultsOf(item) },
      errors: [],
    },
  }
}

/** Returns the name of a path parameter in an item: `orderId` becomes `order_id`. */
export function memberOf(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function bodyOf({ header }: OperatorCellOperation) {
  const params = Object.entries(header.params?.properties ?? {}).map(([name, schema]) => [memberOf(name), schema])
  const members: TProperties = {
    ...Object.fromEntries(params),
    ...header.query?.properties,
    ...(header.body ? { body: header.body } : {}),
  }
  const items = Type.Array(Closed(members), { minItems: 1, maxItems: bulkItemsMax })
  return Closed({ items })
}

/** The examples of a single request, for a body whose schema alone does not produce a valid one. */
function examplesOf(item: OperatorCellOperation) {
  const { bodyExamples } = item.header
  if (!bodyExamples) return {}
  const { items } = exampleOf(bodyOf(item)) as { items: readonly object[] }
  const examples = Object.entries(bodyExamples).map(([name, body]) => [name, { items: [{ ...items[0], body }] }])
  return { bodyExamples: Object.fromEntries(examples) }
}

function resultsOf({ header }: OperatorCellOperation) {
  const result = Closed({
    status: Type.Integer({ description: 'The status of the response to a single request.', examples: [200] }),
    result: orNull(header.success.body),
    approval_id: orNull(Uuid('The approval, if the item waits for a second person.'), { examples: [null] }),
    error: orNull(Closed({ type: Type.String(), message: Type.String(), code: Type.String() }), {
      examples: [null],
    }),
  })
  return Closed({ results: Type.Array(result, { maxItems: bulkItemsMax }) })
}
