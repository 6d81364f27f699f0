import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { type CursorPosition, decodeCursor, encodeCursor } from './cursor.ts'
import { Named } from './fields.ts'
import { type ListInput, type ListMembers, type ListParts, type ListResult, listMembers } from './list.ts'
import type {
  DirectoryContext,
  DirectoryHeader,
  OperatorCellOperation,
  OperatorContext,
  OperatorDirectoryOperation,
  OperatorHeader,
  ValidatedInput,
} from './operation.ts'

const limitDefault = 25
export const keysetLimitMax = 100
/** Counting further would read the whole list. */
export const countMax = 10_000

/** The requested part of a list: the rows after a given one, ordered by a sort key and then by id. */
export interface KeysetPage {
  readonly limit: number
  readonly direction: 'asc' | 'desc'
  /** Name of the sort key; `id` if the list has no others. Ids sort by time. */
  readonly sort: string
  /** Last row of the previous page; undefined for the first page. */
  readonly after: CursorPosition | undefined
}

/** A row that a cursor can point to. `keysetCut` selects `cursorId` and `sortKey`. */
export interface KeysetRow {
  id?: unknown
  cursorId?: string
  sortKey?: string | null
}

const KeysetPagination = Named('KeysetPagination', {
  limit: Type.Integer({ minimum: 1, maximum: keysetLimitMax, description: 'Maximum results per page.' }),
  count: Type.Integer({
    minimum: 0,
    maximum: countMax,
    description: 'Number of results of all pages.',
    examples: [1],
  }),
  is_count_exact: Type.Boolean({
    description: `False if there are more than \`count\`: counting stops at ${countMax} or earlier.`,
  }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'URL of the next page, or null on the last one.',
    examples: [null],
  }),
})

interface KeysetParts extends ListParts {
  /** Names of the sort keys, the default first. If absent, the list is sorted by id. */
  readonly sorts?: readonly [string, ...string[]]
  /** Newest or largest first, unless a list of waiting work declares `asc`. */
  readonly direction?: 'asc' | 'desc'
}

type KeysetHandler<List extends KeysetParts, Context> = (
  input: ListInput<List, KeysetPage>,
  context: Context,
) => ListResult<List, PageOfResults<Static<List['item']>> & { count: number }>

interface PageOfResults<Item> {
  results: Item[]
  /** False if counting stopped before the usual maximum, so that there may be more than `count`. */
  isCountExact?: boolean
  /** Row that a cursor to the next page points to. */
  next: CursorPosition | undefined
}

/** Turns the rows of a page into its results. `keysetCut` selects one row more than fits. */
export function pageOf<Row extends KeysetRow, Item>(
  rows: readonly Row[],
  { limit }: KeysetPage,
  view: (row: Row) => Item,
): PageOfResults<Item> {
  const { shown, next } = cutPage(rows, limit)
  return { results: shown.map(view), next }
}

/** Like pageOf, for views that need further statements or keys of the vault. */
export async function pageOfViews<Row extends KeysetRow, Item>(
  rows: readonly Row[],
  { limit }: KeysetPage,
  view: (rows: readonly Row[]) => Promise<Item[]>,
): Promise<PageOfResults<Item>> {
  const { shown, next } = cutPage(rows, limit)
  return { results: await view(shown), next }
}

function cutPage<Row extends KeysetRow>(
  rows: readonly Row[],
  limit: number,
): { shown: readonly Row[]; next: CursorPosition | undefined } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, next: last && { key: last.sortKey ?? null, id: last.cursorId ?? String(last.id) } }
}

/** Declares a list for operator users, of rows in the tenant's cell. The millionth page costs as much as the first. */
export function keysetListOperation<List extends KeysetParts>(
  list: Omit<OperatorHeader, ListMembers> & List,
  handle: KeysetHandler<List, OperatorContext>,
): OperatorCellOperation {
  return { kind: 'operator', database: 'cell', header: headerOf(list), run: pages(list, handle) }
}

/** Like keysetListOperation, for rows in the directory. */
export function directoryKeysetListOperation<List extends KeysetParts>(
  list: Omit<DirectoryHeader, ListMembers> & List,
  handle: KeysetHandler<List, DirectoryContext>,
): OperatorDirectoryOperation {
  return { kind: 'operator', database: 'directory', header: headerOf(list), run: pages(list, handle) }
}

/** Like keysetListOperation, for a search by personal data in a body. `next` is for a POST with the same body. */
export function keysetSearchOperation<Item extends TSchema, Body extends TObject>(
  { body, ...list }: Omit<OperatorHeader, ListMembers> & { item: Item; body: Body },
  handle: (
    input: { body: Static<Body>; page: KeysetPage },
    context: OperatorContext,
  ) => Promise<PageOfResults<Static<Item>> & { count: number }>,
): OperatorCellOperation {
  const header = { ...headerOf(list), body, method: 'POST', isRead: true, approval: 'never' } as const
  return { kind: 'operator', database: 'cell', header, run: pages(list, handle) }
}

function headerOf({
  item,
  beside,
  query,
  sorts,
  direction = 'desc',
  ...header
}: Omit<OperatorHeader, ListMembers> & KeysetParts) {
  const pageQuery = {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: keysetLimitMax, default: limitDefault, description: 'Results per page.' }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'Where the page starts. Take it from `next` of the page before, with the same other parameters.',
      }),
    ),
    direction: Type.Optional(
      Type.Enum(['asc', 'desc'] as const, {
        default: direction,
        description: 'Newest or largest first (desc), or oldest or smallest first (asc).',
      }),
    ),
    ...(sorts &&
      sorts.length > 1 && {
        sort: Type.Optional(Type.Enum([...sorts], { default: sorts[0], description: 'What the list is sorted by.' })),
      }),
  }
  const parts = { item, ...(beside && { beside }), ...(query && { query }) }
  const members = listMembers(parts, { pagination: KeysetPagination, query: pageQuery, limitMax: keysetLimitMax })
  return { ...header, ...members }
}

/** Turns a list handler into a handler of the pipeline, which has validated the input against the list's schemas. */
function pages<Context extends { readonly selfUrl: string }>(
  { sorts, direction: usual = 'desc' }: KeysetParts,
  handle: (input: never, context: Context) => Promise<PageOfResults<unknown> & { count: number }>,
) {
  return async (input: ValidatedInput, context: Context): Promise<unknown> => {
    const query: Partial<Omit<KeysetPage, 'after'>> & { cursor?: string } = input.query
    const { limit = limitDefault, direction = usual, sort = sorts?.[0] ?? 'id', cursor } = query
    const after = cursor === undefined ? undefined : decodeCursor({ sort, direction }, cursor)
    const page = { limit, direction, sort, after }
    const { count, isCountExact = true, results, next, ...beside } = await handle({ ...input, page } as never, context)
    const pagination: Static<typeof KeysetPagination> = {
      limit,
      count: Math.min(count, countMax),
      is_count_exact: isCountExact && count <= countMax,
      next: next ? linkTo(context.selfUrl, { ...query, cursor: encodeCursor(page, next) }) : null,
    }
    return { pagination, ...beside, results }
  }
}

function linkTo(selfUrl: string, query: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `${selfUrl}?${parameters.join('&')}`
}
