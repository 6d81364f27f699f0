import type { Static, TObject, TSchema } from 'typebox'
import type { Transaction } from '../db/transaction.ts'
import type { Vault } from '../db/vault.ts'
import type { ErrorCode } from './errors.ts'
import type { Scope } from './scopes.ts'
import type { PublicServices } from './services.ts'

/**
 * One operation of the API: what it promises, and the function that keeps the promise. Everything in the header is
 * enforced by the pipeline, in one place and order, so the function holds nothing but the operation itself.
 */
export type Operation = TenantOperation | PublicOperation

interface Header {
  readonly id: string
  readonly summary: string
  /** For the reference: what a caller should know beyond the summary and the schemas. Markdown. */
  readonly description?: string
  /** Under which heading of the reference it stands. */
  readonly tag?: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Without the prefix; parameters as `:name`. */
  readonly path: `/${string}`
  readonly idempotency: 'required' | 'optional' | 'none'
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Bodies to show by name, where the one that its schema makes would not do. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>
  readonly success: {
    readonly status: 200 | 201
    readonly body: TSchema
    /** Where what was created can be read, without the prefix. */
    readonly location?: (created: never) => string
  }
  /** True for what is ours and not in the specification. */
  readonly isExtension?: boolean
  /** The refusals of the operation itself; those of the pipeline belong to every operation. */
  readonly errors: readonly ErrorCode[]
}

export interface TenantHeader extends Header {
  /** Any one of these is enough. */
  readonly scopes: readonly [Scope, ...Scope[]]
}

interface PublicHeader extends Header {
  /** Needs no token. */
  readonly scopes: 'public'
}

/** The parts of a request that the header declares, checked and typed. */
interface Input<H extends Header> {
  readonly params: H['params'] extends TObject ? Static<H['params']> : Record<never, never>
  readonly query: H['query'] extends TObject ? Static<H['query']> : Record<never, never>
  readonly body: H['body'] extends TSchema ? Static<H['body']> : undefined
}

/** All that a tenant's operation can reach: its tenant's rows in one transaction, its tenant's keys, and one time. */
export interface TenantContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
  readonly now: Date
  /** The address of the request as the integrator sees it, without the query: what links are made from. */
  readonly here: string
}

/** What an operation without a token has instead of a tenant. */
export interface PublicContext extends PublicServices {
  readonly sourceAddress: string
  readonly now: Date
  /** Adds to the headers of the answer, whether it succeeds or not. */
  readonly addHeaders: (headers: Record<string, string>) => void
}

type Handler<H extends Header, Context> = (input: Input<H>, context: Context) => Promise<Static<H['success']['body']>>

export interface TenantOperation {
  readonly kind: 'tenant'
  readonly header: TenantHeader
  readonly handle: (input: never, context: TenantContext) => Promise<unknown>
}

interface PublicOperation {
  readonly kind: 'public'
  readonly header: PublicHeader
  readonly handle: (input: never, context: PublicContext) => Promise<unknown>
}

export function operation<const H extends TenantHeader>(header: H, handle: Handler<H, TenantContext>): TenantOperation {
  return { kind: 'tenant', header, handle }
}

export function publicOperation<const H extends PublicHeader>(
  header: H,
  handle: Handler<H, PublicContext>,
): PublicOperation {
  return { kind: 'public', header, handle }
}

/** Stops the start when an operation leaves something open that the types cannot see or a cast has hidden. */
export function assertDeclared(operations: readonly Operation[]): void {
  const seen = new Set<string>()
  for (const { header } of operations) {
    const problem = undeclared(header)
    if (problem) throw new Error(`Operation ${header.id || header.path} ${problem}.`)
    for (const name of [header.id, `${header.method} ${header.path}`]) {
      if (seen.has(name)) throw new Error(`Operation ${name} is declared twice.`)
      seen.add(name)
    }
  }
}

function undeclared(header: Partial<Header & { scopes: unknown }>): string | undefined {
  if (!header.id) return 'has no id'
  if (header.scopes !== 'public' && !(Array.isArray(header.scopes) && header.scopes.length > 0))
    return "declares no scope; an operation without a token says scopes: 'public'"
  if (!Array.isArray(header.errors)) return 'declares no list of errors'
  if (!header.idempotency) return 'declares no idempotency mode'
  if (header.method === 'GET' && header.idempotency !== 'none') return 'is a GET and cannot take an idempotency key'
  if (!header.success?.body) return 'declares no response schema'
  const inPath = [...(header.path ?? '').matchAll(/:(\w+)/g)].map(([, name]) => name).toSorted()
  const inSchema = Object.keys(header.params?.properties ?? {}).toSorted()
  if (inPath.join() !== inSchema.join())
    return `has the path parameters ${inPath.join()} and declares ${inSchema.join()}`
  return undefined
}
