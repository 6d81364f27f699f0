import type { Static, TObject, TSchema } from 'typebox'
import type { KeyRing } from '../../base/key-ring.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Vault } from '../../db/vault.ts'
import type { TargetRules } from '../../outbound/target-rules.ts'
import type { DeclaredError } from '../errors/declare-errors.ts'
import type { Audit } from './audit.ts'
import { FileResponse } from './file-response.ts'
import { type Role, roles } from './roles.ts'
import type { Scope } from './scopes.ts'
import type { PublicServices, SignedServices } from './services.ts'
import type { SpooledFile, Upload } from './spool.ts'

/**
 * One operation of the API: what it promises, and the function that keeps the promise. Everything in the header is
 * enforced by the pipeline, in one place and order, so the function holds nothing but the operation itself.
 */
export type Operation = TenantOperation | PublicOperation | OperatorOperation | SignedOperation

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
  /** A file that it takes instead of a JSON body. It has arrived whole before the operation begins. */
  readonly upload?: Upload
  /** Bodies to show by name, where the one that its schema makes would not do. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>
  readonly success: {
    readonly status: 200 | 201
    readonly body: TSchema
    /** Answers a file of this type; `body` is then FileAnswer, whose content is sent and whose name is a header. */
    readonly file?: 'application/xml'
    /** Where what was created can be read, without the prefix. */
    readonly location?: (created: never) => string
  }
  /** True for what is ours and not in the specification. */
  readonly isExtension?: boolean
  /** The refusals of the operation itself; those of the pipeline belong to every operation. */
  readonly errors: readonly DeclaredError[]
}

export interface TenantHeader extends Header {
  /** Any one of these is enough. */
  readonly scopes: readonly [Scope, ...Scope[]]
}

interface PublicHeader extends Header {
  /** Needs no token. */
  readonly scopes: 'public'
}

interface SignedHeader extends Header {
  /** Needs no token: the body is signed, and who has signed it says whose request it is. */
  readonly scopes: 'signature'
}

export interface OperatorHeader extends Header {
  /** The least that the caller must be. */
  readonly role: Role
}

/** The parts of a request that the header declares, checked and typed. */
interface Input<H extends Header> {
  readonly params: H['params'] extends TObject ? Static<H['params']> : Record<never, never>
  readonly query: H['query'] extends TObject ? Static<H['query']> : Record<never, never>
  readonly body: H['body'] extends TSchema ? Static<H['body']> : undefined
  readonly file: H['upload'] extends Upload ? SpooledFile : undefined
}

/** All that a tenant's operation can reach: its tenant's rows in one transaction, its tenant's keys, and one time. */
export interface TenantContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
  readonly now: Date
  /** The address of the request as the integrator sees it, without the query: what links are made from. */
  readonly here: string
  /** The credential or admin that calls. */
  readonly callerId: string
  /** What the token of an integrator may do; an operator has a role instead, and none of these. */
  readonly scopes: readonly Scope[]
  /** For what must be answered for later: every write of an operator, every approval. */
  readonly audit: Audit
  /** Where a request may be sent whose address the caller chooses. */
  readonly targets: TargetRules
}

/** The same for what is in the directory: who may call. There is nothing to seal there but secrets. */
export interface DirectoryContext extends Omit<TenantContext, 'vault'> {
  readonly secretPeppers: KeyRing
}

/** What an operation without a token has instead of a tenant. */
export interface PublicContext extends PublicServices {
  readonly sourceAddress: string
  readonly now: Date
  /** Adds to the headers of the answer, whether it succeeds or not. */
  readonly addHeaders: (headers: Record<string, string>) => void
}

/** What a signature is about: the bytes as they came, before anybody has read them. */
export interface SignedRequest {
  /** As they stand in the path: nobody has looked at them yet. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Who has signed a request. Requests of one sender are counted together. */
export interface Sender {
  readonly tenantId: string
  readonly id: string
}

/** Tells whose signature it is; undefined where it is nobody's, for whatever reason. */
export type Verify<Who extends Sender> = (request: SignedRequest, services: SignedServices) => Promise<Who | undefined>

/** What a signed operation has: the tenant of its sender, in one transaction. */
export interface SignedContext<Who extends Sender> extends Pick<TenantContext, 'tenantId' | 'tx' | 'vault' | 'now'> {
  readonly sender: Who
}

type Handler<H extends Header, Context> = (input: Input<H>, context: Context) => Promise<Static<H['success']['body']>>

export interface TenantOperation {
  readonly kind: 'tenant'
  readonly header: TenantHeader
  readonly handle: (input: never, context: TenantContext) => Promise<unknown>
}

export interface PublicOperation {
  readonly kind: 'public'
  readonly header: PublicHeader
  readonly handle: (input: never, context: PublicContext) => Promise<unknown>
}

/** Called by somebody who has no token and signs what they say. */
export interface SignedOperation {
  readonly kind: 'signed'
  readonly header: SignedHeader
  readonly verify: Verify<Sender>
  readonly handle: (input: never, context: SignedContext<never>) => Promise<unknown>
}

/** Called by an admin of a tenant. The pipeline sees to it that a write says what it changed. */
export interface OperatorOperation {
  readonly kind: 'operator'
  /** In which database its transaction is. */
  readonly place: 'cell' | 'directory'
  readonly header: OperatorHeader
  readonly handle: (input: never, context: TenantContext & DirectoryContext) => Promise<unknown>
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

export function signedOperation<const H extends SignedHeader, Who extends Sender>(
  header: H,
  verify: Verify<Who>,
  handle: Handler<H, SignedContext<Who>>,
): SignedOperation {
  return { kind: 'signed', header, verify, handle }
}

/** An operator's operation on what is in the tenant's cell. */
export function operatorOperation<const H extends OperatorHeader>(
  header: H,
  handle: Handler<H, TenantContext>,
): OperatorOperation {
  return { kind: 'operator', place: 'cell', header, handle }
}

/** An operator's operation on who may call, which is in the directory. */
export function directoryOperation<const H extends OperatorHeader>(
  header: H,
  handle: Handler<H, DirectoryContext>,
): OperatorOperation {
  return { kind: 'operator', place: 'directory', header, handle }
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

function undeclared(header: Partial<Header & { scopes: unknown; role: unknown }>): string | undefined {
  if (!header.id) return 'has no id'
  const hasRole = roles.some((role) => role === header.role)
  const isOpen = header.scopes === 'public' || header.scopes === 'signature'
  if (!hasRole && !isOpen && !(Array.isArray(header.scopes) && header.scopes.length > 0))
    return "declares no scope; an operation without a token says scopes: 'public' or 'signature'"
  if (!Array.isArray(header.errors)) return 'declares no list of errors'
  if (!header.idempotency) return 'declares no idempotency mode'
  if (header.method === 'GET' && header.idempotency !== 'none') return 'is a GET and cannot take an idempotency key'
  if (!header.success?.body) return 'declares no response schema'
  if (header.success.file && header.success.body !== FileResponse)
    return 'answers a file and does not declare FileAnswer'
  // What is kept for a key is JSON, and an operation that answers a file must be repeatable by itself.
  if (header.success.file && header.idempotency !== 'none') return 'answers a file and cannot take an idempotency key'
  if (header.upload && (header.body || header.method !== 'POST' || header.idempotency !== 'none'))
    return 'takes a file, which only a POST without another body and without a key can'
  const inPath = [...(header.path ?? '').matchAll(/:(\w+)/g)].map(([, name]) => name).toSorted()
  const inSchema = Object.keys(header.params?.properties ?? {}).toSorted()
  if (inPath.join() !== inSchema.join())
    return `has the path parameters ${inPath.join()} and declares ${inSchema.join()}`
  return undefined
}
