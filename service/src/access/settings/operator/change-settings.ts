import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { validationFailed } from '../../../platform/api/errors/errors.ts'
import { TenantSettings, TenantSettingsChange } from '../tenant-settings.schema.ts'
import {
  lockTenantSettings,
  type TenantSettingsRow,
  tenantSettingsFingerprint,
  updateLockedTenantSettings,
} from '../tenant-settings.sql.ts'
import { weakensControl } from '../weakens-control.ts'

export const changeSettings = operatorOperation(
  {
    id: 'changeSettings',
    summary: 'Change the settings of your tenant',
    description:
      'Changes the settings in the body and keeps the others. What weakens a control needs a second person: a longer ' +
      'expiry of proposals, a shorter wait or less similarity for refunds, a shorter retention, another site for ' +
      'wallet proofs, and no mails about proposals or endpoints.',
    tag: 'Settings',
    method: 'PATCH',
    path: '/settings',
    duty: 'team',
    approval: 'always',
    idempotency: 'optional',
    body: TenantSettingsChange,
    bodyExamples: { stricter: { refund_hold_days: 14 }, time_zone: { time_zone: 'Europe/Berlin' } },
    success: { status: 200, body: TenantSettings },
    errors: [],
  },
  async ({ body }, { tenantId, tx, audit }) => {
    requireTimeZone(body.time_zone)
    const settings = await lockTenantSettings(tx, tenantId)
    const changed = { ...settings, ...body }
    const names = (Object.keys(body) as (keyof TenantSettingsRow)[]).filter((name) => changed[name] !== settings[name])
    const of = (row: TenantSettingsRow) => Object.fromEntries(names.map((name) => [name, row[name]]))
    if (names.length === 0) audit('nothing changed')
    else {
      await updateLockedTenantSettings(tx, tenantId, changed)
      const subject = { type: 'tenant', id: tenantId }
      audit({ action: 'tenant.settings_changed', subject, before: of(settings), after: of(changed) })
    }
    return changed
  },
  {
    policy: 'always',
    subject: 'tenant',
    isNeeded: async ({ body }, { tenantId, tx }) => weakensControl(await lockTenantSettings(tx, tenantId), body),
    fingerprint: tenantSettingsFingerprint,
  },
)

function requireTimeZone(name: string | undefined): void {
  if (name === undefined || isTimeZone(name)) return
  throw validationFailed([
    { detail: 'The member time_zone must be the name of a time zone, such as Europe/Berlin.', pointer: '/time_zone' },
  ])
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
