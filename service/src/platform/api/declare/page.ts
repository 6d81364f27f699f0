import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import {
  type DirectoryContext,
  directoryOperation,
  type OperatorHeader,
  type OperatorOperation,
  operation,
  operatorOperation,
  type TenantContext,
  type TenantHeader,
  type TenantOperation,
} from './operation.ts'

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

type MadeByList = 'method' | 'idempotency' | 'params' | 'query' | 'body' | 'success'

interface ListParts<Item extends TSchema, Beside extends TProperties, Query extends TProperties> {
  readonly item: Item
  /** What stands once beside the results, such as the parent's summary. */
  readonly beside?: Beside
  /** Parameters beyond limit, offset and direction. */
  readonly query?: Query
}

type ListHandler<
  Item extends TSchema,
  Params extends TObject,
  Beside extends TProperties,
  Query extends TProperties,
  Context,
> = (
  input: { params: Static<Params>; query: Static<TObject<Query>>; page: Page },
  context: Context,
) => Promise<{ count: number; results: Static<Item>[] } & Static<TObject<Beside>>>

/** A list: the same parameters, the same envelope and the same links wherever there is one. */
export function listOperation<
  Item extends TSchema,
  Params extends TObject = TObject<Record<never, never>>,
  Beside extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
>(
  header: Omit<TenantHeader, MadeByList> & ListParts<Item, Beside, Query> & { params?: Params },
  handle: ListHandler<Item, Params, Beside, Query, TenantContext>,
): TenantOperation {
  return operation(listHeader(header) as TenantHeader, paged(handle as never))
}

/** The same for operators, in the tenant's cell. */
export function operatorListOperation<
  Item extends TSchema,
  Params extends TObject = TObject<Record<never, never>>,
  Beside extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
>(
  header: Omit<OperatorHeader, MadeByList> & ListParts<Item, Beside, Query> & { params?: Params },
  handle: ListHandler<Item, Params, Beside, Query, TenantContext>,
): OperatorOperation {
  return operatorOperation(listHeader(header) as OperatorHeader, paged(handle as never))
}

/** The same for operators, in the directory. */
export function directoryListOperation<
  Item extends TSchema,
  Params extends TObject = TObject<Record<never, never>>,
  Beside extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
>(
  header: Omit<OperatorHeader, MadeByList> & ListParts<Item, Beside, Query> & { params?: Params },
  handle: ListHandler<Item, Params, Beside, Query, DirectoryContext>,
): OperatorOperation {
  return directoryOperation(listHeader(header) as OperatorHeader, paged(handle as never))
}

function listHeader({ item, beside, query, ...header }: ListParts<TSchema, TProperties, TProperties>): object {
  const body = Type.Object(
    { pagination: Pagination, ...beside, results: Type.Array(item, { maxItems: pageLimitMax }) },
    { additionalProperties: false },
  )
  return {
    ...header,
    method: 'GET',
    idempotency: 'none',
    query: Type.Object({ ...pageQueryMembers, ...query }, { additionalProperties: false }),
    success: { status: 200, body },
  }
}

function paged(handle: (input: object, context: { here: string }) => Promise<{ count: number; results: unknown[] }>) {
  return async (input: unknown, context: { here: string }) => {
    const { params, query } = input as { params: object; query: Partial<Page> & Record<string, unknown> }
    const { limit = limitMin, offset = 0, direction = 'desc' } = query
    const page = { limit, offset, direction }
    const { count, results, ...beside } = await handle({ params, query, page }, context)
    return { pagination: paginationOf(page, count, context.here, query), ...beside, results } as never
  }
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
