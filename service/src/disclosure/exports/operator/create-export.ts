import type { Static } from 'typebox'
import { requireSomeRoomForFiles } from '../../../access/tenants/count-stored-files.ts'
import { tenantErrors } from '../../../access/tenants/tenant.errors.ts'
import {
  type OperatorContext,
  operatorOperation,
  type ValidatedInput,
} from '../../../platform/api/declare/operation.ts'
import { ApiError, type Failure, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../../platform/base/ids.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { findAccount } from '../../../sales/accounts/account.sql.ts'
import type { OfferingKey } from '../../../sales/offerings/offering.sql.ts'
import { holderErrors } from '../../../tokens/register/holder.errors.ts'
import { countHolders } from '../../../tokens/register/holder.sql.ts'
import { resolveBlock } from '../../../tokens/register/resolve-block.ts'
import { deleteExport } from '../delete-export.job.ts'
import { exportErrors } from '../export.errors.ts'
import { Export, NewExport, newExportExamples } from '../export.schema.ts'
import { countRunningExports, endLockedExport, insertExport, lockExports, lockExportsBeyond } from '../export.sql.ts'
import { viewExport } from '../export.view.ts'
import { type ExportFilter, type ExportFormat, filterNames } from '../export-source.ts'
import { type ExportKind, exportSources } from '../export-sources.ts'
import { pdfRowsMax } from '../exported-register.ts'
import { requireExportDuty } from '../require-export-duty.ts'
import { writeExports } from '../write-exports.job.ts'

const lifeMs = 86_400_000
/** Maximum number of exports in progress. Each user has a share, so that one cannot stop the others. */
export const runningExportsMax = 10
export const runningExportsPerUserMax = 4
/** Maximum number of finished files per tenant. One more replaces the oldest file of the user who has the most. */
export const storedExportsMax = 30

export const createExport = operatorOperation(
  {
    id: 'createExport',
    summary: 'Export rows as a file',
    description:
      'Starts to write a CSV file (RFC 4180, UTF-8) in the background: read the export until it is `done`, then ' +
      'download it within 24 hours of the request. Texts are quoted. What a spreadsheet would run as a formula has ' +
      'an apostrophe in front, also behind a separator within a text. Rows are as they are when they are written; ' +
      'rows created after the request are not in the file. The kind `register` has other formats too. Ten exports of ' +
      'a tenant are written at a time, four of them for one user. A tenant keeps thirty finished files: a further ' +
      'one replaces the oldest of the user who has the most.',
    tag: 'Exports',
    method: 'POST',
    path: '/exports',
    duty: 'read',
    approval: 'policy',
    idempotency: 'optional',
    // A PDF counts the holders.
    cost: { isHeavy: ({ body }: ValidatedInput) => (body as Static<typeof NewExport>).format === 'pdf' },
    body: NewExport,
    bodyExamples: newExportExamples,
    success: { status: 201, body: Export, location: ({ id }: Static<typeof Export>) => `/exports/${id}` },
    errors: [
      requestErrors.not_found,
      requestErrors.session_required,
      requestErrors.step_up_needed,
      exportErrors.too_many_exports,
      tenantErrors.tenant_limit_reached,
      holderErrors.block_not_finalized,
    ],
  },
  async ({ body }, context) => {
    const { kind, format = 'csv', with_personal_data: withPersonalData = false, ...asked } = body
    requireFilters(body)
    requireExportDuty({ kind, withPersonalData }, context)
    const filter = await completed({ kind, format }, asked, context)
    const { tenantId, tx, callerId, now, audit } = context
    await lockExports(tx, tenantId)
    await requireSlot(tx, { tenantId, createdBy: callerId })
    await replaceOldest(tx, tenantId, now)
    await requireSomeRoomForFiles(tx, tenantId)
    const id = newRowId()
    const expiresAt = new Date(now.getTime() + lifeMs)
    const wanted = { id, kind, filter, format, withPersonalData, createdBy: callerId, createdAt: now, expiresAt }
    const created = await insertExport(tx, tenantId, wanted)
    await enqueueJob(tx, writeExports, { tenant_id: tenantId })
    await enqueueJob(tx, deleteExport, { tenant_id: tenantId, export_id: id }, expiresAt)
    audit({
      action: 'export.requested',
      subject: { type: 'export', id },
      after: { kind, format, with_personal_data: withPersonalData, ...filter },
    })
    return viewExport(created)
  },
  {
    policy: 'personal_data_export',
    confirmDuty: 'personal',
    subject: 'tenant',
    isNeeded: ({ body }) => body.with_personal_data === true,
  },
)

async function requireSlot(tx: Transaction, by: { tenantId: string; createdBy: string }): Promise<void> {
  const { all, own } = await countRunningExports(tx, by)
  if (own >= runningExportsPerUserMax)
    throw new ApiError(
      exportErrors.too_many_exports,
      `You have ${own} exports that are being written. Wait for one of them, or cancel it.`,
    )
  if (all >= runningExportsMax)
    throw new ApiError(
      exportErrors.too_many_exports,
      `The tenant has ${all} exports that are being written. Wait for one of them, or cancel it.`,
    )
}

/** Deletes the files beyond those that a tenant keeps, as if they had expired. */
async function replaceOldest(tx: Transaction, tenantId: string, now: Date): Promise<void> {
  for (const { id: exportId } of await lockExportsBeyond(tx, tenantId, storedExportsMax - 1)) {
    await endLockedExport(tx, { tenantId, exportId }, { state: 'expired', now })
    await enqueueJob(tx, deleteExport, { tenant_id: tenantId, export_id: exportId })
  }
}

/** Rejects filters that the kind does not take: ignoring one would export more than requested. */
function requireFilters(body: Static<typeof NewExport>): void {
  const { kind, format = 'csv', with_personal_data, statuses, from, to } = body
  const source = exportSources[kind]
  const failures: Failure[] = []
  const reject = (name: string, detail: string) => failures.push({ detail, pointer: `/${name}` })
  for (const name of filterNames)
    if (body[name] !== undefined && !source.filters.includes(name))
      reject(name, `An export of ${kind} does not take ${name}; it takes ${source.filters.join(', ')}.`)
  if (with_personal_data && source.personalColumns.length === 0)
    reject('with_personal_data', `An export of ${kind} has no personal data.`)
  if (!(source.parts?.formats ?? ['csv']).includes(format)) reject('format', `An export of ${kind} is csv.`)
  if ((kind === 'holders' || kind === 'register') && body.offering_id === undefined)
    reject('offering_id', `An export of ${kind} needs offering_id.`)
  if (body.at !== undefined && body.block !== undefined) reject('at', 'Give either block or at.')
  if (source.statuses && statuses?.some((status) => !source.statuses?.includes(status)))
    reject('statuses', `The statuses of ${kind} are ${source.statuses.join(', ')}.`)
  if (from !== undefined && to !== undefined && new Date(from) >= new Date(to))
    reject('to', 'to must be later than from.')
  if (failures.length > 0) throw validationFailed(failures)
}

/** Fixes the values that the request left open and that must not change while the export runs. */
async function completed(
  { kind, format }: { kind: ExportKind; format: ExportFormat },
  asked: ExportFilter,
  { tenantId, tx, now }: OperatorContext,
): Promise<ExportFilter> {
  // The audit log grows with every request, this one included.
  if (kind === 'audit') return { ...asked, to: asked.to ?? now.toISOString() }
  if ((kind !== 'holders' && kind !== 'register') || asked.offering_id === undefined) return asked
  const key = { tenantId, offeringId: asked.offering_id }
  const { block } = await resolveBlock(tx, key, asked)
  if (kind === 'register') await requireExtractable(tx, key, { format, block, accountId: asked.account_id })
  return { ...asked, ...(block === null ? {} : { block: Number(block) }) }
}

async function requireExtractable(
  tx: Transaction,
  key: OfferingKey,
  { format, block, accountId }: { format: ExportFormat; block: bigint | null; accountId: string | undefined },
): Promise<void> {
  if (accountId !== undefined) {
    const account = await findAccount(tx, { tenantId: key.tenantId, accountId })
    if (!account) throw new ApiError(requestErrors.not_found, 'The account does not exist.')
    return
  }
  if (format === 'pdf' && block !== null && (await countHolders(tx, key, block)) > pdfRowsMax)
    throw validationFailed([
      { detail: `A PDF has at most ${pdfRowsMax} holders. Use csv or json for this register.`, pointer: '/format' },
    ])
}
