import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { operation, type TenantContext, type TenantHeader, type TenantOperation } from './operation.ts'

const limitMin = 10
export const pageLimitMax = 50

const pageQueryMembers = {
  limit: Type.Optional(
    Type.Integer({ minimum: limitMin, maximum: pageLimitMax, default: limitMin, description: 'How many to return.' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'How many to pass over.' }),
  ),
  direction: Type.Optional(
    Type.Enum(['asc', 'desc'] as const, {
      default: 'desc',
      description: 'Newest first (desc), or oldest first (asc): then the offset of an element never changes.',
      'x-extension': true,
    }),
  ),
}

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })

const Link = (description: string) => Type.Union([Type.String(), Type.Null()], { description, examples: [null] })

const Pagination = Type.Object(
  {
    count: Count('How many there are in all.', 1),
    total_pages: Count('How many pages of this limit that makes.', 1),
    current_page: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The page that begins at this offset.',
    }),
    limit: Type.Integer({ minimum: limitMin, maximum: pageLimitMax, description: 'How many a page has at most.' }),
    offset: Count('How many were passed over.', 0),
    next: Link('The next page, or null on the last one.'),
    previous: Link('The page before, or null on the first one.'),
  },
  { additionalProperties: false, title: 'Pagination' },
)

/** The part of a list that is asked for, in terms of the dense positions of its elements: 0 is the oldest. */
export interface Page {
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

interface ListHeader<Item extends TSchema, Beside extends TProperties, Query extends TProperties>
  extends Omit<TenantHeader, 'method' | 'idempotency' | 'params' | 'query' | 'body' | 'success'> {
  readonly item: Item
  /** What stands once beside the results, such as the parent's summary. */
  readonly beside?: Beside
  /** Parameters beyond limit, offset and direction. */
  readonly query?: Query
}

/** A list: the same parameters, the same envelope and the same links wherever there is one. */
export function listOperation<
  Item extends TSchema,
  Params extends TObject = TObject<Record<never, never>>,
  Beside extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
>(
  { item, beside, query, ...header }: ListHeader<Item, Beside, Query> & { params?: Params },
  handle: (
    input: { params: Static<Params>; query: Static<TObject<Query>>; page: Page },
    context: TenantContext,
  ) => Promise<{ count: number; results: Static<Item>[] } & Static<TObject<Beside>>>,
): TenantOperation {
  const body = Type.Object(
    { pagination: Pagination, ...(beside ?? ({} as Beside)), results: Type.Array(item, { maxItems: pageLimitMax }) },
    { additionalProperties: false },
  )
  const wholeQuery = Type.Object({ ...pageQueryMembers, ...query }, { additionalProperties: false })
  const whole = {
    ...header,
    method: 'GET',
    idempotency: 'none',
    query: wholeQuery,
    success: { status: 200, body },
  } as const
  return operation(whole as TenantHeader, async (input, context) => {
    const { params, query: asked } = input as unknown as {
      params: Static<Params>
      query: Partial<Page> & Record<string, unknown>
    }
    const { limit = limitMin, offset = 0, direction = 'desc' } = asked
    const page = { limit, offset, direction }
    const answer = await handle({ params, query: asked as Static<TObject<Query>>, page }, context)
    const { count, results, ...rest } = answer as { count: number; results: unknown[] }
    return { pagination: paginationOf(page, count, context.here, asked), ...rest, results } as never
  })
}

function paginationOf(
  { limit, offset }: Page,
  count: number,
  here: string,
  asked: Record<string, unknown>,
): Static<typeof Pagination> {
  const others = Object.entries(asked)
    .filter(([name]) => name !== 'limit' && name !== 'offset')
    .map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`)
    .join('')
  const linkTo = (target: number) => `${here}?limit=${limit}&offset=${target}${others}`
  return {
    count,
    total_pages: Math.ceil(count / limit),
    current_page: Math.floor(offset / limit) + 1,
    limit,
    offset,
    next: offset + limit < count ? linkTo(offset + limit) : null,
    previous: offset > 0 ? linkTo(Math.max(0, offset - limit)) : null,
  }
}
