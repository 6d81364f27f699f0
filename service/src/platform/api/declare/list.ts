import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { Closed } from './fields.ts'

/** Header members that a list operation does not declare itself. */
export type ListMembers = 'method' | 'idempotency' | 'params' | 'query' | 'body' | 'success'

/** Members that it declares instead. */
export interface ListParts {
  readonly item: TSchema
  readonly params?: TObject
  /** Members next to `results`, such as a sum. */
  readonly beside?: TProperties
  /** Parameters beyond those that select a page. */
  readonly query?: TProperties
}

export interface ListInput<List extends ListParts, Page> {
  readonly params: List['params'] extends TObject ? Static<List['params']> : Record<never, never>
  readonly query: StaticOf<List['query']>
  readonly page: Page
}

/** The results of a page, with the members next to them. */
export type ListResult<List extends ListParts, Results> = Promise<Results & StaticOf<List['beside']>>

type StaticOf<Members> = Members extends TProperties ? Static<TObject<Members>> : Record<never, never>

/** Returns the header members of a list. `pages` is common to all lists that page the same way. */
export function listMembers(
  { item, beside, query }: Pick<ListParts, 'item' | 'beside' | 'query'>,
  pages: { pagination: TSchema; query: TProperties; limitMax: number },
) {
  const results = Type.Array(item, { maxItems: pages.limitMax })
  return {
    method: 'GET' as const,
    idempotency: 'none' as const,
    query: Closed({ ...pages.query, ...query }),
    success: { status: 200 as const, body: Closed({ pagination: pages.pagination, ...beside, results }) },
  }
}
