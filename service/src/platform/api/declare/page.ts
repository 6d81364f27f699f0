import { type Static, type TSchema, Type } from 'typebox'
import { Named } from './fields.ts'
import { JsonRows } from './json-rows.ts'
import { type ListInput, type ListMembers, type ListParts, type ListResult, listMembers } from './list.ts'
import type { TenantContext, TenantHeader, TenantOperation, ValidatedInput } from './operation.ts'

const limitMin = 10
export const pageLimitMax = 50

const pageQueryMembers = {
  limit: Type.Optional(
    Type.Integer({ minimum: limitMin, maximum: pageLimitMax, default: limitMin, description: 'Results per page.' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Results to skip.' }),
  ),
  direction: Type.Optional(
    Type.Enum(['asc', 'desc'] as const, {
      default: 'desc',
      description: 'Newest first (desc) or oldest first (asc). With asc the offset of an element never changes.',
      'x-extension': true,
    }),
  ),
}

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })

const Link = (description: string) => Type.Union([Type.String(), Type.Null()], { description, examples: [null] })

const Pagination = Named('Pagination', {
  count: Count('Total number of results.', 1),
  total_pages: Count('Number of pages at this limit.', 1),
  current_page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of the page that contains this offset.',
  }),
  limit: Type.Integer({ minimum: limitMin, maximum: pageLimitMax, description: 'Maximum results per page.' }),
  offset: Count('Results skipped.', 0),
  next: Link('URL of the next page, or null on the last one.'),
  previous: Link('URL of the previous page, or null on the first one.'),
})

/** The requested slice of a list, in dense positions of its elements: 0 is the oldest. */
export interface Page {
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/** A paginated list for integrators. Every list has the same parameters, envelope and links. */
export function listOperation<List extends ListParts>(
  list: Omit<TenantHeader, ListMembers> & List,
  handle: (
    input: ListInput<List, Page>,
    context: TenantContext,
  ) => ListResult<List, { count: number; results: Static<List['item']>[] | JsonRows<List['item']> }>,
): TenantOperation {
  return { kind: 'tenant', header: headerOf(list), run: pages(handle) }
}

function headerOf({ item, beside, query, ...header }: Omit<TenantHeader, ListMembers> & ListParts) {
  const parts = { item, ...(beside && { beside }), ...(query && { query }) }
  const members = listMembers(parts, { pagination: Pagination, query: pageQueryMembers, limitMax: pageLimitMax })
  return { ...header, ...members }
}

/** Turns a list handler into a handler of the pipeline, which has validated the input against the list's schemas. */
function pages(handle: (input: never, context: TenantContext) => Promise<{ count: number; results: unknown }>) {
  return async (input: ValidatedInput, context: TenantContext): Promise<unknown> => {
    const { limit = limitMin, offset = 0, direction = 'desc' }: Partial<Page> = input.query
    const page = { limit, offset, direction }
    const { count, results, ...beside } = await handle({ ...input, page } as never, context)
    return { pagination: paginationOf(page, count, context.selfUrl, input.query), ...beside, results }
  }
}

/** Returns true if the rows of a page are not written yet. */
export function hasJsonRows(result: unknown): result is { readonly results: JsonRows<TSchema> } {
  return (result as { results?: unknown } | undefined)?.results instanceof JsonRows
}

/** Serializes everything around the rows, then writes them: `results` is the last member of every list. */
export function pageBytes(
  page: { readonly results: JsonRows<TSchema> },
  serialize: (result: unknown) => string,
): Buffer {
  const around = serialize({ ...page, results: [] })
  if (!around.endsWith(noResults)) throw new Error('results are not the last member of a page')
  return page.results.between(around.slice(0, 1 - noResults.length), noResults.slice(1))
}

const noResults = '[]}'

function paginationOf(
  { limit, offset }: Page,
  count: number,
  selfUrl: string,
  query: Readonly<Record<string, unknown>>,
): Static<typeof Pagination> {
  const others = Object.entries(query)
    .filter(([name]) => name !== 'limit' && name !== 'offset')
    .map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`)
    .join('')
  const linkTo = (target: number) => `${selfUrl}?limit=${limit}&offset=${target}${others}`
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
