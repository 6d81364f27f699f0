import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bodyOf } from '../api/body.ts'
import { bodyMembersOf, type GivenFlag, pathIdsOf } from '../api/flags.ts'
import { usageFailure } from '../base/failure.ts'
import { host, pathOf } from '../base/host.ts'
import type { OperatorOperation } from '../base/operation-description.ts'
import { note, paint, print, readAllOfStdin } from '../base/terminal.ts'
import { toJson } from '../output/json.ts'
import { objectTable, type Row } from '../output/table.ts'
import { currentOperator } from '../session/operator-session.ts'
import type { GlobalOptions } from '../session/session.ts'
import { OperatorClient, type OperatorRequest } from './operator-client.ts'
import { readOperatorPages, rowsIn, showOperatorRows } from './operator-pages.ts'

/** Options of a command in addition to the flags of its operation. */
export interface OperatorOptions extends GlobalOptions {
  all?: boolean
  data?: string
  idempotencyKey?: string
  file?: string
  output?: string
}

export interface OperatorInvocation {
  readonly operation: OperatorOperation
  readonly subject: string | undefined
  readonly flags: readonly GivenFlag[]
  readonly options: OperatorOptions
}

/** Calls one operation of the operator API and prints its response. */
export async function runOperatorOperation(invocation: OperatorInvocation): Promise<void> {
  const { operation, options } = invocation
  const client = new OperatorClient(currentOperator(options), options)
  const request = await requestOf(invocation)
  if (operation.isFile) return saveFile(await client.send({ ...request, isFile: true }), options)
  if (options.all) {
    const rows = await readOperatorPages(client, operation, request)
    return options.json ? print(toJson(rows)) : showOperatorRows(rows)
  }
  const { data, response } = await client.json(request)
  if (response.headers.get('idempotency-replayed') === 'true')
    hint('yellow', 'This is the response to an earlier request with the same idempotency key.')
  if (response.status === 202)
    hint('yellow', 'Nothing has changed yet: a second person must confirm this in the console.')
  if (options.json) return print(toJson(data))
  const page = rowsIn(data)
  if (!page) return print(objectTable(data as Row))
  showOperatorRows(page.rows)
  if (page.next !== undefined)
    hint('dim', `Showing ${page.rows.length} of ${page.count}. Use --all to show all of them.`)
}

async function requestOf({ operation, subject, flags, options }: OperatorInvocation): Promise<OperatorRequest> {
  const { method, path, takesKey } = operation
  const body = await contentOf(operation, flags, options)
  const key = options.idempotencyKey ?? (takesKey ? randomUUID() : undefined)
  return {
    method,
    path: pathWith(path, pathIdsOf(flags, operation.subject, subject)),
    query: queryOf(flags),
    ...(body ? { body } : {}),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  }
}

/** Fills ids into a path. Checks them, because a malformed id could address another operation. */
function pathWith(path: string, ids: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? ''
    if (!/^[\w-]{1,100}$/.test(id))
      throw usageFailure(`The ${name.replace(/Id$/, ' id')} must be an id returned by the API.`)
    return id
  })
}

function queryOf(flags: readonly GivenFlag[]): URLSearchParams {
  const query = new URLSearchParams()
  for (const [{ target }, value] of flags) {
    if (target.in !== 'query') continue
    const values = target.member.kind === 'list' ? String(value).split(',') : [String(value)]
    for (const one of values) query.append(target.member.name, one)
  }
  return query
}

async function contentOf(
  { uploads, body }: OperatorOperation,
  flags: readonly GivenFlag[],
  { file, data }: OperatorOptions,
): Promise<OperatorRequest['body']> {
  if (uploads) return fileContent(file, uploads)
  if (!body) return undefined
  return { type: 'application/json', content: JSON.stringify(await bodyOf(data, bodyMembersOf(flags))) }
}

const typesOfEndings: Readonly<Record<string, string>> = {
  xml: 'application/xml',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  csv: 'text/csv',
  txt: 'text/plain',
}

/** Derives the type from the file name. Reads the content while it is sent. */
async function fileContent(file: string | undefined, uploads: readonly string[]): Promise<OperatorRequest['body']> {
  if (file === undefined) throw usageFailure('This command sends a file: use --file <path>, or --file - for stdin.')
  const ending = typesOfEndings[file.split('.').at(-1)?.toLowerCase() ?? '']
  const type = ending !== undefined && uploads.includes(ending) ? ending : (uploads[0] ?? 'application/octet-stream')
  if (file === '-') return { type, content: await readAllOfStdin() }
  try {
    return { type, content: await openAsBlob(pathOf(file)) }
  } catch {
    throw usageFailure(`Cannot read the file ${file}.`)
  }
}

/** Writes a file as it arrives. Never overwrites an existing file. Only the owner can read the new one. */
async function saveFile(response: Response, { output }: OperatorOptions): Promise<void> {
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  if (output === undefined) {
    await pipeline(body, host().stdout, { end: false })
    return
  }
  try {
    await pipeline(body, createWriteStream(pathOf(output), { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw usageFailure(`The file ${output} exists already.`, 'Choose another name; nothing was overwritten.')
    throw error
  }
  hint('dim', `Written to ${output}.`)
}

function hint(style: 'yellow' | 'dim', text: string): void {
  note(paint(style, text, host().stderr))
}
