import { type InvestorToken, toUnits } from '@investor-token/sdk'
import { usageFailure } from '../base/failure.ts'
import { operations } from '../base/generated/operations.ts'
import type { BodyMember, OperationFacts } from '../base/operation-facts.ts'
import { note, paint, print } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { showProgress } from '../output/progress.ts'
import { type Row, rowsTable, thingTable } from '../output/table.ts'
import { currentProfile, type GlobalOptions, openClient } from '../session/session.ts'
import type { ApiCommand, apiCommands } from './api-commands.ts'
import { bodyOf } from './body.ts'
import type { Flag } from './flags.ts'
import { type Page, pageOf, walk } from './walk.ts'

/** What was asked for, beside the flags that the operation itself has. */
export interface OperationOptions extends GlobalOptions {
  all?: boolean
  data?: string
  idempotencyKey?: string
  tokens?: string
}

export interface Asked {
  readonly operation: keyof typeof apiCommands
  readonly command: ApiCommand
  readonly subject: string | undefined
  /** Those that were given, with what they say. */
  readonly flags: readonly [Flag, string | number][]
  readonly options: OperationOptions
  readonly signal: AbortSignal
}

/** Calls one operation of the API and shows its answer. */
export async function runOperation(asked: Asked): Promise<void> {
  const { operation, command, options, signal } = asked
  const facts: OperationFacts = operations[operation]
  const client = openClient(currentProfile(options), options)
  const params = paramsOf(asked)
  const body = facts.body ? await readBody(asked, client, params) : undefined
  const query = Object.fromEntries(
    asked.flags.flatMap(([{ place }, value]) => (place.in === 'query' ? [[place.member.name, value]] : [])),
  )
  const key = options.idempotencyKey
  const sending = {
    params,
    query,
    ...(body === undefined ? {} : { body }),
    options: { signal, ...(key === undefined ? {} : { idempotencyKey: key }) },
  }
  if (options.all) return showAll(asked, walk(client, operation, sending, pagingOf(facts)))

  const { data, isReplay } = await client.call(operation, sending).withResponse()
  if (isReplay) note(paint('yellow', 'This is the answer to an earlier request with the same key.', process.stderr))
  if (options.json) return print(toJson(data))
  if (!command.columns) return print(thingTable(data as unknown as Row, options))
  const page = pageOf(data)
  showRows(asked, page.rows, page.decimals)
  if (page.hasMore) note(paint('dim', `${countOf(page)} There are more: --all shows all of them.`, process.stderr))
}

function pagingOf({ query }: OperationFacts): 'offset' | 'after' | 'before' {
  const has = (name: string) => query.some((member) => member.name === name)
  if (has('after')) return 'after'
  return has('before') ? 'before' : 'offset'
}

function paramsOf({ command, subject, flags }: Asked): Record<string, string> {
  const given = flags.flatMap(([{ place }, value]) => (place.in === 'path' ? [[place.name, String(value)]] : []))
  return Object.fromEntries([...given, ...(command.subject && subject ? [[command.subject, subject]] : [])])
}

async function readBody({ flags, options }: Asked, client: InvestorToken, params: Record<string, string>) {
  const members = flags.flatMap(([{ place }, value]): [BodyMember, string][] =>
    place.in === 'body' ? [[place.member, String(value)]] : [],
  )
  const body = await bodyOf(options.data, members)
  if (options.tokens === undefined) return body
  if (body['units'] !== undefined) throw usageFailure('Give --tokens or --units, not both of them.')
  const offeringId = params['offeringId'] ?? body['offering_id']
  if (typeof offeringId !== 'string') throw usageFailure('Say which offering: --offering <id>.')
  const { decimals } = await client.offerings.get(offeringId)
  return { ...body, units: toUnits(options.tokens, decimals) }
}

async function showAll(asked: Asked, pages: AsyncIterable<Page>): Promise<void> {
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
  if (asked.options.json) return print(toJson(rows))
  showRows(asked, rows, decimals)
}

function showRows({ command, options }: Asked, rows: readonly Row[], decimals: number | undefined): void {
  if (rows.length === 0) note(paint('dim', 'There are none.', process.stderr))
  else print(rowsTable(rows, command.columns ?? [], { raw: options.raw, decimals }))
}

function countOf({ rows, count }: Page): string {
  return count === undefined ? `These are ${rows.length}.` : `These are ${rows.length} of ${count}.`
}
