import { hasDuty } from '../../platform/api/declare/duties.ts'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { requirePasskey } from '../../platform/api/declare/require-passkey.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { type ExportKind, exportSources } from './export-sources.ts'

/** Checks the duties that depend on the request; the header declares only the one that every export needs. */
export function requireExportDuty(
  { kind, withPersonalData }: { readonly kind: ExportKind; readonly withPersonalData: boolean },
  { operator, now }: Pick<OperatorContext, 'operator' | 'now'>,
): void {
  requireKindDuty(kind, { operator })
  if (!withPersonalData) return
  if (!hasDuty(operator, 'personal', null))
    throw new ApiError(requestErrors.insufficient_duty, 'An export with personal data needs the duty personal.')
  requirePasskey(operator, now)
}

export function requireKindDuty(kind: ExportKind, { operator }: Pick<OperatorContext, 'operator'>): void {
  const { duty } = exportSources[kind]
  if (!hasDuty(operator, duty, null))
    throw new ApiError(requestErrors.insufficient_duty, `An export of ${kind} needs the duty ${duty}.`)
}
