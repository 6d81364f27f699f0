import type { operationsOf } from '../sdk/openapi-document.ts'
import type { OperatorOperation } from './src/base/operation-description.ts'

type Documented = ReturnType<typeof operationsOf>[number]
type CommandShape = Pick<
  OperatorOperation,
  'noun' | 'verb' | 'subject' | 'method' | 'path' | 'pageMax' | 'uploads' | 'isFile'
>

/** Nouns for path segments that are vague without their parent, or that another resource also uses. */
const nounsOf: Readonly<Record<string, string>> = {
  entries: 'statement-entries',
  deliveries: 'webhook-deliveries',
  transfers: 'payout-transfers',
}

/**
 * Derives the command of an operation from its path and id: `POST /orders/{orderId}/extend`, `extendPaymentDeadline`,
 * is `orders extend-payment-deadline <id>`. A new operation therefore has a command without any further work.
 */
export function commandOf({ path, method, operation }: Documented, all: readonly Documented[]): CommandShape {
  const segments = path.split('/').slice(1)
  const index = segments.findLastIndex((segment, at) => isCollection(segments, at, segment, all))
  const resource = segments[Math.max(index, 0)] ?? ''
  const noun = nounsOf[resource] ?? resource
  const subject = /^\{(\w+)\}$/.exec(segments[index + 1] ?? '')?.[1]
  const upload = Object.keys(operation.requestBody?.content ?? {}).filter((type) => type !== 'application/json')
  const pageMax = pageMaxOf(operation)
  return {
    noun,
    verb: verbOf(operation.operationId, noun),
    ...(subject === undefined ? {} : { subject }),
    method,
    path,
    ...(pageMax === undefined ? {} : { pageMax }),
    ...(upload.length > 0 ? { uploads: upload } : {}),
    ...(isFileResponse(operation) ? { isFile: true } : {}),
  }
}

/** Returns true if the path segment is a collection, such as `orders`, and not an action, such as `cancel`. */
function isCollection(segments: readonly string[], at: number, segment: string, all: readonly Documented[]): boolean {
  if (segment.startsWith('{')) return false
  if (at === 0 || segments[at + 1]?.startsWith('{')) return true
  return all.some(
    ({ path, operation }) =>
      path.includes(`/${segment}/{`) || (path.endsWith(`/${segment}`) && operation.operationId.startsWith('list')),
  )
}

/** Returns the operation's id without the words of the noun: `assignPayment` of unassigned-payments is `assign`. */
function verbOf(operationId: string, noun: string): string {
  const words = wordsOf(operationId)
  const known = new Set(noun.split('-').flatMap((word) => [word, word.replace(/ies$/, 'y'), word.replace(/s$/, '')]))
  return words.filter((word) => !known.has(word)).join('-') || words.join('-')
}

export function wordsOf(operationId: string): string[] {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split('-')
}

/** Returns the maximum page size of a list, or undefined if the response is not a page. */
function pageMaxOf({ parameters = [] }: Documented['operation']): number | undefined {
  return parameters.find(({ in: location, name }) => location === 'query' && name === 'limit')?.schema.maximum
}

/** Returns true if the response is a file or a stream, and not one JSON value. */
function isFileResponse({ responses }: Documented['operation']): boolean {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return success.some(([, { content = {} }]) => Object.keys(content).some((type) => type !== 'application/json'))
}
