import createClient from 'openapi-fetch'
import { hasSession, isFromService, reportReachable, reportSessionEnd, reportUnreachable } from './connection.ts'
import type { components, paths } from './generated/operator-api.ts'
import { problemOf, sessionEnded, unreachable } from './problem.ts'
import { goToSignIn } from './sign-in.ts'
import { stepUp } from './step-up.ts'

export type Schemas = components['schemas']

/** The operator API of this origin. Requests carry the session cookie and a header that only its pages can set. */
export const api = createClient<paths>({
  baseUrl: '/operator',
  headers: { 'X-Console': '1' },
  // A list of values is one parameter, separated by commas.
  querySerializer: { array: { style: 'form', explode: false } },
  fetch: send,
})

/** Returns the body of a successful response. `send` throws errors, so only a missing body remains to be checked. */
export async function bodyOf<Body>(response: Promise<{ data?: Body }>): Promise<NonNullable<Body>> {
  const { data } = await response
  if (data === undefined || data === null) throw new Error('the response has no body')
  return data
}

/** Returns the header that makes a retry safe. A dialog creates one key when it opens. */
export function once(idempotencyKey: string): { 'X-Idempotency-Key': string } {
  return { 'X-Idempotency-Key': idempotencyKey }
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
