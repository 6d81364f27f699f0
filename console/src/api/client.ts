import createClient from 'openapi-fetch'
import { hasSession, isFromService, reportReachable, reportSessionEnd, reportUnreachable } from './connection.ts'
import type { components, paths } from './generated/operator-api.ts'
import { problemOf, sessionEnded, unreachable } from './problem.ts'
import { goToSignIn } from './sign-in.ts'
import { stepUp } from './step-up.ts'

export type Schemas = components['schemas']

type Verb = 'get' | 'post' | 'patch'
type PathOf<V extends Verb> = {
  [Path in keyof paths]: paths[Path] extends Record<V, object> ? Path : never
}[keyof paths]
interface Operation {
  readonly parameters: { readonly header?: unknown; readonly path?: unknown; readonly query?: unknown }
  readonly responses: object
}
type OperationOf<Path extends keyof paths, V extends Verb> = paths[Path][V] & Operation

/** Parts of a request. The key makes a retry safe: a dialog creates one when it opens. */
type RequestOf<Called extends Operation> = Pick<Called['parameters'], 'path' | 'query'> &
  ([NonNullable<Called['parameters']['header']>] extends [never] ? { key?: never } : { key?: string }) &
  (Called extends { requestBody: { content: infer Content } } ? { body: Content[keyof Content] } : { body?: never }) & {
    bodySerializer?: (body: string) => string
    headers?: Readonly<Record<string, string>>
  }
type ContentOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : never
type BodyOf<Responses> = { [Status in keyof Responses]: ContentOf<Responses[Status]> }[keyof Responses]

/** Sends a request and returns the body of its response. */
type Call<V extends Verb> = <Path extends PathOf<V>>(
  path: Path,
  ...request: object extends RequestOf<OperationOf<Path, V>>
    ? [request?: RequestOf<OperationOf<Path, V>>]
    : [request: RequestOf<OperationOf<Path, V>>]
) => Promise<BodyOf<OperationOf<Path, V>['responses']>>

const client = createClient<paths>({
  baseUrl: '/operator',
  headers: { 'X-Console': '1' },
  // A list of values is one parameter, separated by commas.
  querySerializer: { array: { style: 'form', explode: false } },
  fetch: send,
})

/** The operator API of this origin. Requests carry the session cookie and a header that only its pages can set. */
export const api = {
  get: callWith('get') as Call<'get'>,
  post: callWith('post') as Call<'post'>,
  patch: callWith('patch') as Call<'patch'>,
  download: callWith('post', 'blob') as (
    path: Extract<PathOf<'post'>, `${string}/download`>,
    request: { readonly path: Readonly<Record<string, string>> },
  ) => Promise<File>,
}

function callWith(verb: Verb, parseAs: 'json' | 'blob' = 'json') {
  return async (
    url: string,
    { path, query, key, ...options }: Partial<RequestOf<Operation>> = {},
  ): Promise<unknown> => {
    const params = { path, query, header: key === undefined ? {} : { 'X-Idempotency-Key': key } }
    // `send` throws errors, so only a missing body remains to be checked.
    const { data, response }: { data?: unknown; response: Response } = await client.request(
      verb,
      url as never,
      { ...options, params, parseAs } as never,
    )
    if (data === undefined || data === null) throw new Error('the response has no body')
    return data instanceof Blob ? new File([data], fileNameOf(response), { type: data.type }) : data
  }
}

/** Returns the name that the service gives a downloaded file. */
function fileNameOf({ headers }: Response): string {
  const [, name = ''] = /filename="([^"]*)"/.exec(headers.get('Content-Disposition') ?? '') ?? []
  return name
}

/** Returns true if the change was only proposed and waits for a second person. */
export function isProposal(body: unknown): body is Schemas['ProposedChange'] {
  return typeof body === 'object' && body !== null && 'approval_id' in body && 'confirm_duty' in body
}

/** Sends a request. If the operation needs a passkey, asks for it and retries with the same idempotency key. */
async function send(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await reach(request)
  if (response.ok) return withExactAmounts(response)
  if (response.status === 401) return endSession()
  const problem = await problemOf(response)
  if (problem.code !== 'step_up_needed') throw problem
  await stepUp(reach)
  const repeated = await reach(again)
  if (!repeated.ok) throw await problemOf(repeated)
  return withExactAmounts(repeated)
}

async function reach(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    if (!isFromService(response)) throw new Error('only a proxy responded')
    reportReachable()
    return response
  } catch {
    reportUnreachable()
    throw unreachable()
  }
}

/** Redirects to the sign-in if nothing is shown yet. Otherwise keeps the screen and everything typed into it. */
function endSession(): Promise<never> {
  if (!hasSession()) return goToSignIn()
  reportSessionEnd()
  throw sessionEnded()
}

/**
 * Some amounts are JSON numbers, which JavaScript would round. This turns them into strings before anything parses
 * them. A quote inside a JSON string is escaped, so the pattern matches members only.
 */
async function withExactAmounts(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response
  const text = await response.text()
  const exact = text.replaceAll(/"(\w+_amount)":(-?\d[\d.eE+-]*)/g, '"$1":"$2"')
  return new Response(exact, { status: response.status, headers: response.headers })
}
