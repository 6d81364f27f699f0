import { host } from '../base/host.ts'
import type { OperatorOperation } from '../base/operation-description.ts'
import { note, paint, print } from '../base/terminal.ts'
import { showProgress } from '../output/progress.ts'
import { type Column, type Row, rowsTable } from '../output/table.ts'
import type { OperatorClient, OperatorRequest } from './operator-client.ts'

interface OperatorPagination {
  count: number
  is_count_exact: boolean
  next: string | null
}

interface OperatorPage {
  readonly rows: readonly Row[]
  readonly count: string
  /** Query of the next page; undefined on the last page. */
  readonly next: URLSearchParams | undefined
}

/** Reads all rows of a list by following the service's links from page to page. */
export async function readOperatorPages(
  client: OperatorClient,
  { pageMax, query: members }: OperatorOperation,
  request: OperatorRequest,
): Promise<Row[]> {
  const query = new URLSearchParams(request.query)
  if (pageMax !== undefined && !query.has('limit')) query.set('limit', String(pageMax))
  // A list with offsets grows at its end only if it is read oldest first.
  if (members.some(({ name }) => name === 'offset') && !query.has('direction')) query.set('direction', 'asc')
  const rows: Row[] = []
  const progress = await showProgress('Reading …')
  try {
    let next: URLSearchParams | undefined = query
    while (next) {
      const page: OperatorPage | undefined = rowsIn((await client.json({ ...request, query: next })).data)
      rows.push(...(page?.rows ?? []))
      progress.update(`${rows.length} of ${page?.count ?? '?'} read`)
      // An empty page, or one that links to itself, would keep the loop running forever.
      const isSame: boolean = page?.next?.toString() === next.toString()
      next = page && page.rows.length > 0 && !isSame ? page.next : undefined
    }
  } finally {
    progress.end()
  }
  return rows
}

/**
 * Returns the rows of a list, or undefined if the response is not a list. Uses only the query of the link to the next
 * page: its host must not decide where the token is sent.
 */
export function rowsIn(data: unknown): OperatorPage | undefined {
  if (Array.isArray(data)) return { rows: data as Row[], count: String(data.length), next: undefined }
  const { results, events, pagination } = (data ?? {}) as Record<string, unknown>
  const rows = results ?? events
  if (!Array.isArray(rows)) return undefined
  const { count, is_count_exact: isExact, next } = (pagination ?? {}) as Partial<OperatorPagination>
  const url = typeof next === 'string' ? URL.parse(next, 'http://localhost') : null
  return {
    rows: rows as Row[],
    count: `${isExact === false ? 'more than ' : ''}${count ?? rows.length}`,
    next: url?.searchParams,
  }
}

// More columns do not fit on a screen; --json shows all members.
const columnsMax = 7

export function showOperatorRows(rows: readonly Row[]): void {
  if (rows.length === 0) note(paint('dim', 'No results.', host().stderr))
  else print(rowsTable(rows, columnsOf(rows)))
}

/** Returns the members that are not objects, in the order of the response. Leaves out members that no row contains. */
function columnsOf(rows: readonly Row[]): Column[] {
  const isShown = (value: unknown) => value !== null && typeof value !== 'object'
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => isShown(row[name])))
  return names.slice(0, columnsMax).map((name) => [name.replaceAll('_', ' ').toUpperCase(), name])
}
