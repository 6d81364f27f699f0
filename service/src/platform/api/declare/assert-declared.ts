import { type Duty, duties, isLimitable } from './duties.ts'
import { FileInParts, FileResponse } from './file-response.ts'
import { maskOf } from './masked.ts'
import type { OfferingOf } from './offering-of.ts'
import type { Header, Operation } from './operation.ts'

/** Fails startup if an operation's header is incomplete in a way that the types cannot catch or a cast has hidden. */
export function assertDeclared(operations: readonly Operation[]): void {
  const seen = new Set<string>()
  for (const operation of operations) {
    const { header } = operation
    const problem =
      problemOf(header) ?? problemOfCost(header) ?? problemOfOffering(operation) ?? problemOfSecrets(operation)
    if (problem) throw new Error(`Operation ${header.id || header.path} ${problem}.`)
    for (const name of [header.id, `${header.method} ${header.path}`]) {
      if (seen.has(name)) throw new Error(`Operation ${name} is declared twice.`)
      seen.add(name)
    }
  }
}

function problemOf(header: Partial<Header & { scopes: unknown; duty: unknown }>): string | undefined {
  if (!header.id) return 'has no id'
  const hasDuty = duties.some((duty) => duty === header.duty)
  const isOpen = header.scopes === 'public' || header.scopes === 'signature'
  if (!hasDuty && !isOpen && !(Array.isArray(header.scopes) && header.scopes.length > 0))
    return "declares no scope; an operation without a token declares scopes: 'public' or 'signature'"
  if (!Array.isArray(header.errors)) return 'declares no list of errors'
  if (!header.idempotency) return 'declares no idempotency mode'
  if (header.method === 'GET' && header.idempotency !== 'none') return 'is a GET and cannot take an idempotency key'
  if (header.isRead && header.idempotency !== 'none') return 'changes nothing and cannot take an idempotency key'
  if (!header.success?.body) return 'declares no response schema'
  return problemOfFiles(header) ?? problemOfParameters(header)
}

function problemOfFiles({ success, upload, body, method, idempotency }: Partial<Header>): string | undefined {
  if (success?.file && success.body !== FileResponse && success.body !== FileInParts)
    return 'responds with a file and declares neither FileResponse nor FileInParts'
  // A stored response is JSON, so an operation that responds with a file must be safe to repeat without a key.
  if (success?.file && idempotency !== 'none') return 'responds with a file and cannot take an idempotency key'
  if (upload && (body || method !== 'POST' || idempotency !== 'none'))
    return 'takes a file; only a POST without a JSON body and without an idempotency key can'
  return undefined
}

function problemOfParameters({ path = '/', params }: Partial<Header>): string | undefined {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).toSorted()
  const inSchema = Object.keys(params?.properties ?? {}).toSorted()
  if (inPath.join() === inSchema.join()) return undefined
  return `has the path parameters ${inPath.join()} and declares ${inSchema.join()}`
}

/**
 * Operations whose reads grow with the tenant's data. Their headers say so; this list makes sure that none loses its
 * declaration. `heavy-reads.test.ts` measures the reads of all others.
 */
const heavyOperations: ReadonlySet<string> = new Set([
  'verifyAuditLog',
  'verifyDirectoryAuditLog',
  'listHolders',
  'listRegisterChanges',
  'getDistribution',
  'exportSubjectData',
  'createExport',
])

function problemOfCost({ id, cost }: Header): string | undefined {
  if (heavyOperations.has(id) && !cost) return 'reads much and does not declare its `cost`'
  if (cost && !heavyOperations.has(id)) return 'declares a `cost` and is not in the list of heavy operations'
  return undefined
}

/** An operation must name its offering, since a duty limited to some offerings would otherwise permit all. */
function problemOfOffering(operation: Operation): string | undefined {
  if (operation.kind !== 'operator') return undefined
  const { header, rule } = operation
  const offering: OfferingOf | undefined = header.offering
  const limitable = [header.duty, rule?.confirmDuty].find((duty: Duty | undefined) => isLimitable(duty))
  if (limitable && !offering)
    return `needs the duty ${limitable}, which can be limited to offerings, and does not declare \`offering\``
  if (offering === 'params.offeringId' && !header.params?.properties['offeringId'])
    return 'has no path parameter offeringId, which its `offering` names'
  return undefined
}

/** A secret must not be in anything that outlives its request, except sealed in a proposal. */
function problemOfSecrets(operation: Operation): string | undefined {
  const { header } = operation
  if (maskOf(header.success.body, 'secret')) return 'returns a member that is write-only'
  if (maskOf(header.params, 'secret') || maskOf(header.query, 'secret')) return 'takes a secret in its URL'
  if (!maskOf(header.body, 'secret')) return undefined
  if (header.idempotency !== 'none') return 'takes a secret, of which a stored response would have a hash'
  if (operation.kind === 'operator' && operation.database === 'directory' && operation.rule)
    return 'takes a secret, which a proposal in the directory cannot seal'
  return undefined
}
