import type { Static, TObject, TSchema } from 'typebox'
import type { KeyRing } from '../../base/key-ring.ts'
import type { TargetRules } from '../../outbound/target-rules.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Vault } from '../../postgres/vault.ts'
import type { DeclaredError } from '../errors/declare-errors.ts'
import type { ApprovalRule, StatedApproval } from './approval.ts'
import type { Audit } from './audit.ts'
import { type DecisionHeader, withDecision } from './decision.ts'
import type { Duty } from './duties.ts'
import type { FileType } from './file-response.ts'
import type { OfferingOf, StatedOffering } from './offering-of.ts'
import type { OperatorFacts } from './operator-facts.ts'
import type { PublicContext } from './public-context.ts'
import type { Scope } from './scopes.ts'
import type { SignedServices, WalletProofFacts } from './services.ts'
import type { Sender, SignedRequest, Verify } from './signed-request.ts'
import type { SpooledFile, Upload } from './spool.ts'
import type { StreamSource } from './stream-source.ts'

/**
 * One operation of the API: a header that declares its contract and a handler that implements it. The pipeline enforces
 * everything in the header, so a handler contains only the operation itself.
 */
export type Operation = TenantOperation | PublicOperation | OperatorOperation | OperatorStream | SignedOperation

export interface Header {
  readonly id: string
  readonly summary: string
  /** Markdown for the API reference: what a caller needs to know beyond the summary and the schemas. */
  readonly description?: string
  /** Groups operations in the API reference. */
  readonly tag?: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** A POST that changes nothing. Searches for personal data are sent in a body, because URLs end up in logs. */
  readonly isRead?: true
  /** Path without the prefix; parameters as `:name`. */
  readonly path: `/${string}`
  readonly idempotency: 'required' | 'optional' | 'none'
  /** Its reads grow with the tenant's data, so it runs one at a time per tenant. An object decides by the input. */
  readonly cost?: 'heavy' | { isHeavy(input: ValidatedInput): boolean }
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** A file that replaces the JSON body. The pipeline has received all of it before the handler runs. */
  readonly upload?: Upload
  /** A contract wallet may have signed the body. The pipeline asks it first: transactions must not wait for nodes. */
  readonly asksContractWallet?: true
  /** Named request examples, for bodies whose schema alone does not produce a useful one. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>
  readonly success: {
    readonly status: 200 | 201
    readonly body: TSchema
    /** Responds with a file of this type. `body` must then be FileResponse or FileInParts. */
    readonly file?: FileType
    /** Types that the file may have instead; `type` of the result says which. */
    readonly otherFiles?: readonly FileType[]
    /** Responds with messages as they happen, until one side ends the response. `body` describes the data of one. */
    readonly stream?: 'text/event-stream'
    /**
     * Path of the created resource, without the prefix. A method and not a function property, so that an operation can
     * declare only the members of its response that it needs: TypeScript compares method parameters bivariantly.
     */
    location?(created: unknown): string
  }
  /** True for our additions to the specification. */
  readonly isExtension?: boolean
  /** Errors of the operation itself; those of the pipeline belong to every operation. */
  readonly errors: readonly DeclaredError[]
}

export interface TenantHeader extends Header {
  /** The token needs at least one of these. */
  readonly scopes: readonly [Scope, ...Scope[]]
}

interface PublicHeader extends Header {
  /** Needs no token. */
  readonly scopes: 'public'
  /** `own page`: only pages of this service may call it. For operations that read or set a cookie. */
  readonly caller?: 'own page'
}

interface SignedHeader extends Header {
  /** Needs no token: the signature over the body identifies the sender. */
  readonly scopes: 'signature'
}

export interface OperatorHeader extends Header, DecisionHeader {
  readonly duty: Duty
  /** The offering that a request concerns. Required if the duty can be limited to offerings. */
  readonly offering?: OfferingOf
  /** `person`: a token is not enough. `passkey`: nor is a session without a passkey in the last five minutes. */
  readonly session?: 'person' | 'passkey'
  // The pipeline reads both before the transaction starts: transactions of a cell that wait for a second connection
  // could together exhaust the pool.
  /** Compares the caller with other users. */
  readonly comparesUsers?: true
  /** Shows names of users and credentials. */
  readonly namesCallers?: true
  /** Reads or changes data of the person rather than of a tenant, such as passkeys. */
  readonly presentsPerson?: true
  /** Runs another user's proposal, so it can return every error of the operations that need a second person. */
  readonly runsProposed?: true
  /** States whether a second person must confirm. A read never needs one; every write states it. */
  readonly approval?: 'never' | 'policy' | 'always'
}

/** An operation that may need a second person says when, and for which subject. */
type RuleOf<H extends OperatorHeader, Context> = H['approval'] extends 'policy' | 'always'
  ? [rule: ApprovalRule<Input<H>, Context>]
  : []

export interface DirectoryHeader extends OperatorHeader {
  /** Stored responses are encrypted with the tenant's data keys, and both are in the cell. */
  readonly idempotency: 'none'
}

/** The declared parts of a request after validation against the header's schemas. Ids in `params` are lower case. */
export interface ValidatedInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly file: SpooledFile | undefined
}

/** The validated input with the static types of the header's schemas. */
interface Input<H extends Header> {
  readonly params: H['params'] extends TObject ? Static<H['params']> : Record<never, never>
  readonly query: H['query'] extends TObject ? Static<H['query']> : Record<never, never>
  readonly body: H['body'] extends TSchema ? Static<H['body']> : undefined
  readonly file: H['upload'] extends Upload ? SpooledFile : undefined
}

/** Everything an operation of a tenant can reach: the tenant's rows in one transaction, its keys, and one time. */
export interface TenantContext extends WalletProofFacts {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
  readonly now: Date
  /** Absolute URL of the request as the caller sees it, without the query. Links are built from it. */
  readonly selfUrl: string
  /** The calling credential or operator user. */
  readonly callerId: string
  /** Scopes of an integrator's token. Empty for an operator user, who has duties instead. */
  readonly scopes: readonly Scope[]
  /** Reports a change to the audit log: every write of an operator user, every approval. */
  readonly audit: Audit
  /** Addresses to which we may send requests when the caller chooses the address. */
  readonly targets: TargetRules
}

export interface OperatorContext extends TenantContext, OperatorFacts {}

/** Like OperatorContext, for users and credentials in the directory. Nothing there is encrypted; secrets are hashed. */
export interface DirectoryContext extends Omit<TenantContext, 'vault' | keyof WalletProofFacts>, OperatorFacts {
  readonly secretPeppers: KeyRing
  /** Scheme and host at which callers reach this API. */
  readonly origin: string
}

/** A signed operation works on the rows of its sender's tenant, in one transaction. */
export interface SignedContext<Who extends Sender> extends SenderlessContext {
  readonly sender: Who
}

type SenderlessContext = Pick<TenantContext, 'tenantId' | 'tx' | 'vault' | 'now'>

type Result<H extends Header> = Static<H['success']['body']>
type Handler<H extends Header, Context> = (input: Input<H>, context: Context) => Promise<Result<H>>

/** A handler as the pipeline calls it. The functions below make it from the typed one. */
type Run<Context, Outcome = unknown> = (input: ValidatedInput, context: Context) => Promise<Outcome>

/** Called by an integrator. */
export interface TenantOperation<Outcome = unknown> {
  readonly kind: 'tenant'
  readonly header: TenantHeader
  readonly run: Run<TenantContext, Outcome>
}

export interface PublicOperation {
  readonly kind: 'public'
  readonly header: PublicHeader
  readonly run: Run<PublicContext>
}

/** Called by a sender that has no token and signs its requests. */
export interface SignedOperation {
  readonly kind: 'signed'
  readonly header: SignedHeader
  /** Returns undefined if the signature is not valid. */
  readonly verify: (request: SignedRequest, services: SignedServices) => Promise<VerifiedRequest | undefined>
}

export interface VerifiedRequest {
  readonly sender: Sender
  readonly run: Run<SenderlessContext>
}

/** Called by an operator user of a tenant. The pipeline rejects a write that reports nothing to the audit log. */
export type OperatorOperation = OperatorCellOperation | OperatorDirectoryOperation

/** Works on rows in the tenant's cell. */
export interface OperatorCellOperation<Outcome = unknown> {
  readonly kind: 'operator'
  readonly database: 'cell'
  readonly header: OperatorHeader
  readonly run: Run<OperatorContext, Outcome>
  readonly rule?: ApprovalRule<ValidatedInput, OperatorContext>
  /** Runs this operation for each item of the body instead of `run`; see bulkOperation. */
  readonly item?: OperatorCellOperation
}

/** Works on users and credentials, which are in the directory. */
export interface OperatorDirectoryOperation {
  readonly kind: 'operator'
  readonly database: 'directory'
  readonly header: DirectoryHeader
  readonly run: Run<DirectoryContext>
  readonly rule?: ApprovalRule<ValidatedInput, DirectoryContext>
}

/**
 * Sends an operator user the messages of their tenant as server-sent events, until one side ends the response. The
 * pipeline admits the caller as for any operation, and manages the connection.
 */
export interface OperatorStream {
  readonly kind: 'stream'
  readonly header: OperatorHeader
  readonly source: StreamSource
}

export function operation<const H extends TenantHeader>(
  header: H,
  handle: Handler<H, TenantContext>,
): TenantOperation<Result<H>> {
  return { kind: 'tenant', header, run: (input, context) => handle(typed<H>(input), context) }
}

export function publicOperation<const H extends PublicHeader>(
  header: H,
  handle: Handler<H, PublicContext>,
): PublicOperation {
  return { kind: 'public', header, run: (input, context) => handle(typed<H>(input), context) }
}

export function signedOperation<const H extends SignedHeader, Who extends Sender>(
  header: H,
  verify: Verify<Who>,
  handle: Handler<H, SignedContext<Who>>,
): SignedOperation {
  return {
    kind: 'signed',
    header,
    verify: async (request, services) => {
      const sender = await verify(request, services)
      return sender && { sender, run: (input, context) => handle(typed<H>(input), { ...context, sender }) }
    },
  }
}

export function operatorOperation<const H extends OperatorHeader>(
  header: H & StatedApproval<H> & StatedOffering<H>,
  handle: Handler<H, OperatorContext>,
  ...[rule]: RuleOf<H, OperatorContext>
): OperatorCellOperation<Result<H>> {
  const run: Run<OperatorContext, Result<H>> = (input, context) => handle(typed<H>(input), context)
  const whole = withDecision(header)
  const stated = rule && { rule: untyped<H, OperatorContext>(rule) }
  return { kind: 'operator', database: 'cell', header: whole, run, ...stated }
}

export function directoryOperation<const H extends DirectoryHeader>(
  header: H & StatedApproval<H> & StatedOffering<H>,
  handle: Handler<H, DirectoryContext>,
  ...[rule]: RuleOf<H, DirectoryContext>
): OperatorDirectoryOperation {
  const run: Run<DirectoryContext> = (input, context) => handle(typed<H>(input), context)
  return {
    kind: 'operator',
    database: 'directory',
    header,
    run,
    ...(rule && { rule: untyped<H, DirectoryContext>(rule) }),
  }
}

/** The only cast between the schemas and their types: the pipeline has validated the input against both. */
function typed<H extends Header>(input: ValidatedInput): Input<H> {
  return input as Input<H>
}

function untyped<H extends Header, Context>(
  rule: ApprovalRule<Input<H>, Context>,
): ApprovalRule<ValidatedInput, Context> {
  return rule as unknown as ApprovalRule<ValidatedInput, Context>
}
