import type { InvestorToken, OperationInput, OperationName } from '@investor-token/sdk'
import type { Row } from '../output/table.ts'

export interface Page {
  readonly rows: readonly Row[]
  /** Total number of items, if the list contains it. */
  readonly count: number | undefined
  readonly hasMore: boolean
  /** Decimals of the page's `offering`, for lists whose items do not contain them. */
  readonly decimals: number | undefined
}

type Query = NonNullable<OperationInput['query']>

// The API's maximum page size, so that reading all pages needs the fewest requests.
const limitMax = 50

/** Yields all pages of a list. Reads a list with offsets oldest first, so that no item is missed or returned twice. */
export async function* readPages(
  client: InvestorToken,
  operation: OperationName,
  { query = {}, ...input }: OperationInput,
  kind: 'offset' | 'after' | 'before',
): AsyncGenerator<Page, void, undefined> {
  let position: Query = kind === 'offset' ? { direction: 'asc', offset: query['offset'] ?? 0 } : {}
  while (true) {
    const page = pageOf(await client.call(operation, { ...input, query: { ...query, limit: limitMax, ...position } }))
    yield page
    const last = page.rows.at(-1)
    // An empty page does not advance the position: without this check the loop would not end.
    if (!page.hasMore || !last) return
    if (kind === 'offset') position = { direction: 'asc', offset: Number(position['offset']) + page.rows.length }
    else position = kind === 'after' ? { after: Number(last['sequence']) } : { before: String(last['id']) }
  }
}

/** Normalizes the three page formats of the API. */
export function pageOf(data: unknown): Page {
  if (Array.isArray(data)) return { rows: data as Row[], count: data.length, hasMore: false, decimals: undefined }
  const { results, events, requests, pagination, next, offering } = data as Record<string, unknown>
  const rows = (results ?? events ?? requests ?? []) as Row[]
  const { count, next: nextPage } = (pagination ?? { next }) as { count?: number; next?: string | null }
  const { decimals } = (offering ?? {}) as { decimals?: number }
  return { rows, count, hasMore: typeof nextPage === 'string', decimals }
}
