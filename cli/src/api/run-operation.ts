import { type InvestorToken, toUnits } from '@investor-token/sdk'
import { usageFailure } from '../base/failure.ts'
import { operations } from '../base/generated/operations.ts'
import { host } from '../base/host.ts'
import type { OperationDescription } from '../base/operation-description.ts'
import { note, paint, print } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { showProgress } from '../output/progress.ts'
import { objectTable, type Row, rowsTable } from '../output/table.ts'
import { currentProfile, type GlobalOptions, openClient } from '../session/session.ts'
import type { ApiCommand } from './api-command.ts'
import type { apiCommands } from './api-commands.ts'
import { bodyOf } from './body.ts'
import { bodyMembersOf, type GivenFlag, pathIdsOf } from './flags.ts'
import { type Page, pageOf, readPages } from './read-pages.ts'

/** Options of a command in addition to the flags of its operation. */
export interface OperationOptions extends GlobalOptions {
  all?: boolean
  data?: string
  idempotencyKey?: string
  tokens?: string
}

export interface Invocation {
  readonly operation: keyof typeof apiCommands
  readonly command: ApiCommand
  readonly subject: string | undefined
  readonly flags: readonly GivenFlag[]
  readonly options: OperationOptions
  readonly signal: AbortSignal
}

/** Calls one API operation and prints its response. */
export async function runOperation(invocation: Invocation): Promise<void> {
  const { operation, command, options, signal } = invocation
  const description: OperationDescription = operations[operation]
  const client = openClient(currentProfile(options), options)
  const params = pathIdsOf(invocation.flags, command.subject, invocation.subject)
  const body = description.body ? await readBody(invocation, client, params) : undefined
  const query = Object.fromEntries(
    invocation.flags.flatMap(([{ target }, value]) => (target.in === 'query' ? [[target.member.name, value]] : [])),
  )
  const key = options.idempotencyKey
  const input = {
    params,
    query,
    ...(body === undefined ? {} : { body }),
    options: { signal, ...(key === undefined ? {} : { idempotencyKey: key }) },
  }
  if (options.all) return showAll(invocation, readPages(client, operation, input, pagingOf(description)))

  const { data, isReplay } = await client.call(operation, input).withResponse()
  if (isReplay)
    note(paint('yellow', 'This is the response to an earlier request with the same idempotency key.', host().stderr))
  if (options.json) return print(toJson(data))
  if (!command.columns) return print(objectTable(data as unknown as Row, options))
  const page = pageOf(data)
  showRows(invocation, page.rows, page.decimals)
  if (page.hasMore) note(paint('dim', `${countOf(page)} Use --all to show all of them.`, host().stderr))
}

function pagingOf({ query }: OperationDescription): 'offset' | 'after' | 'before' {
  const has = (name: string) => query.some((member) => member.name === name)
  if (has('after')) return 'after'
  return has('before') ? 'before' : 'offset'
}

async function readBody({ flags, options }: Invocation, client: InvestorToken, params: Record<string, string>) {
  const body = await bodyOf(options.data, bodyMembersOf(flags))
  if (options.tokens === undefined) return body
  if (body['units'] !== undefined) throw usageFailure('Use either --tokens or --units, not both.')
  const offeringId = params['offeringId'] ?? body['offering_id']
  if (typeof offeringId !== 'string') throw usageFailure('--tokens needs --offering <id>.')
  const { decimals } = await client.offerings.get(offeringId)
  return { ...body, units: toUnits(options.tokens, decimals) }
}

async function showAll(invocation: Invocation, pages: AsyncIterable<Page>): Promise<void> {
  const rows: Row[] = []
  let decimals: number | undefined
  const progress = await showProgress('Reading …')
  try {
    for await (const page of pages) {
      rows.push(...page.rows)
      decimals = page.decimals
      progress.update(page.count === undefined ? `${rows.length} read` : `${rows.length} of ${page.count} read`)
    }
  } finally {
    progress.end()
  }
  if (invocation.options.json) return print(toJson(rows))
  showRows(invocation, rows, decimals)
}

function showRows({ command, options }: Invocation, rows: readonly Row[], decimals: number | undefined): void {
  if (rows.length === 0) note(paint('dim', 'No results.', host().stderr))
  else print(rowsTable(rows, command.columns ?? [], { raw: options.raw, decimals }))
}

function countOf({ rows, count }: Page): string {
  return count === undefined ? `Showing ${rows.length}.` : `Showing ${rows.length} of ${count}.`
}
