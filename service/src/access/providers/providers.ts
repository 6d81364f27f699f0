import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import type { DeclaredError } from '../../platform/api/errors/declare-errors.ts'
import { ApiError, validationFailed } from '../../platform/api/errors/errors.ts'
import { found } from '../../platform/api/errors/found.ts'
import { newId } from '../../platform/base/ids.ts'
import { newSigningSecret, secretOverlapMs } from '../../platform/base/signing-secret.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { addKycProviderToDirectory } from './add-provider-to-directory.job.ts'
import type { ProviderRow, ProviderTable, SummaryOf } from './provider.sql.ts'
import type { ProviderKey, ProviderType } from './provider-directory.sql.ts'
import { providerSecretContext } from './provider-secret-context.ts'

/**
 * A type of providers that send signed notifications. Each type has a table, the kind `standard`, whose secrets the
 * service generates, and one other kind, whose secrets the operator copies from the provider.
 */
export interface Providers<Row extends ProviderRow> {
  readonly type: ProviderType
  readonly label: string
  readonly unknown: string
  /** Where the operator finds the secret, for messages. */
  readonly givenSecret: string
  readonly table: ProviderTable<Row>
  readonly addToDirectory: typeof addKycProviderToDirectory
  readonly errors: { readonly exists: DeclaredError; readonly disabled: DeclaredError }
}

type Context = Pick<OperatorContext, 'tenantId' | 'tx' | 'vault' | 'now' | 'audit'>

/** Creates a provider. Returns its secret if the service generated it. */
export async function createProvider<Row extends ProviderRow>(
  { type, label, addToDirectory, errors }: Providers<Row>,
  { tenantId, tx, vault, now, audit }: Context,
  body: { readonly kind: string; readonly name: string; readonly secret?: string; readonly settings?: object },
  insert: (row: { id: string; secret: Buffer; now: Date }) => Promise<SummaryOf<Row> | undefined>,
): Promise<{ provider: SummaryOf<Row>; generated: string | null }> {
  const { kind, name, settings } = body
  const id = newId()
  const generated = kind === 'standard' ? newSigningSecret() : null
  const secret = await vault.seal(generated ?? body.secret ?? '', providerSecretContext(type, id))
  const provider = await insert({ id, secret, now })
  if (!provider)
    throw new ApiError(
      errors.exists,
      `An enabled ${label} is already named ${name}. Disable it or choose another name.`,
    )
  await enqueueJob(tx, addToDirectory, { tenant_id: tenantId, provider_id: id })
  audit({ action: `${type}.created`, subject: { type, id }, after: { kind, name, ...settings } })
  return { provider, generated }
}

/** Disables a provider, unless it is disabled already. */
export async function disableProvider<Row extends ProviderRow>(
  { type, unknown, table }: Providers<Row>,
  { tenantId, tx, now, audit }: Context,
  providerId: string,
): Promise<Row> {
  const key = { tenantId, providerId }
  const provider = found(await table.lock(tx, key), unknown)
  const disabledAt = provider.disabledAt ?? now
  if (provider.disabledAt) audit('nothing changed')
  else {
    await table.setDisabled(tx, key, now)
    const after = { disabled_at: disabledAt.toISOString() }
    audit({ action: `${type}.disabled`, subject: { type, id: providerId }, after })
  }
  return { ...provider, disabledAt }
}

/** Gives a provider a new secret. The current one stays valid for a while; the one before it expires at once. */
export async function rotateProvider<Row extends ProviderRow>(
  providers: Providers<Row>,
  { tenantId, tx, vault, now, audit }: Context,
  providerId: string,
  given: string | undefined,
): Promise<{ provider: Row; generated: string | null }> {
  const { type, table } = providers
  const key = { tenantId, providerId }
  const provider = await requireEnabledProvider(providers, tx, key)
  const generated = generateSecret(providers, provider, given)
  const secret = await vault.seal(generated ?? given ?? '', providerSecretContext(type, providerId))
  const previousSecretEndsAt = new Date(now.getTime() + secretOverlapMs)
  await table.setSecrets(tx, key, { secret, previousSecret: provider.secret, previousSecretEndsAt })
  const after = { previous_secret_ends_at: previousSecretEndsAt.toISOString() }
  audit({ action: `${type}.rotated`, subject: { type, id: providerId }, after })
  return { provider: { ...provider, previousSecretEndsAt }, generated }
}

/** Locks a provider for a change, and throws if it is disabled. */
export async function requireEnabledProvider<Row extends ProviderRow>(
  { label, unknown, table, errors }: Providers<Row>,
  tx: Transaction,
  key: ProviderKey,
): Promise<Row> {
  const provider = found(await table.lock(tx, key), unknown)
  if (provider.disabledAt) throw new ApiError(errors.disabled, `The ${label} is disabled. Create a new one.`)
  return provider
}

/** Returns null if the operator must send the secret, and has. */
function generateSecret(
  { givenSecret }: Pick<Providers<never>, 'givenSecret'>,
  { kind }: ProviderRow,
  given: string | undefined,
): string | null {
  if (kind === 'standard' && given === undefined) return newSigningSecret()
  if (kind !== 'standard' && given !== undefined) return null
  const detail =
    kind === 'standard'
      ? 'The member secret is not allowed: the service generates the secret of a standard provider.'
      : `The member secret is missing: send ${givenSecret}.`
  throw validationFailed([{ detail, pointer: '/secret' }])
}
