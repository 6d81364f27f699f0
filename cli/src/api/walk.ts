import type { InvestorToken, OperationName, Sending } from '@investor-token/sdk'
import type { Row } from '../output/table.ts'

export interface Page {
  readonly rows: readonly Row[]
  /** How many there are in all, where the list counts. */
  readonly count: number | undefined
  readonly hasMore: boolean
  /** Of the offering that stands beside its orders, which do not repeat it. */
  readonly decimals: number | undefined
}

type Query = NonNullable<Sending['query']>

// The most that a page may have, so that a walk needs the fewest requests.
const limitMax = 50

/** Every page of a list. Oldest first where the list has offsets: then nothing is missed or seen twice. */
export async function* walk(
  client: InvestorToken,
  operation: OperationName,
  { query = {}, ...sending }: Sending,
  kind: 'offset' | 'after' | 'before',
): AsyncGenerator<Page, void, undefined> {
  let place: Query = kind === 'offset' ? { direction: 'asc', offset: query['offset'] ?? 0 } : {}
  while (true) {
    const page = pageOf(await client.call(operation, { ...sending, query: { ...query, limit: limitMax, ...place } }))
    yield page
    const last = page.rows.at(-1)
    // Without an element there would be no way forward, whatever the page says.
    if (!page.hasMore || !last) return
    if (kind === 'offset') place = { ...place, offset: Number(place['offset']) + page.rows.length }
    else place = kind === 'after' ? { after: Number(last['sequence']) } : { before: String(last['id']) }
  }
}

/** A page in whichever way its list has them. */
export function pageOf(answer: unknown): Page {
  if (Array.isArray(answer)) return { rows: answer as Row[], count: answer.length, hasMore: false, decimals: undefined }
  const { results, events, requests, pagination, next, offering } = answer as Record<string, unknown>
  const rows = (results ?? events ?? requests ?? []) as Row[]
  const { count, next: nextPage } = (pagination ?? { next }) as { count?: number; next?: string | null }
  const { decimals } = (offering ?? {}) as { decimals?: number }
  return { rows, count, hasMore: typeof nextPage === 'string', decimals }
}
