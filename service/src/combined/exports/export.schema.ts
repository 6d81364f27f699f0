import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { AuditAction } from '../../records/audit/audit-filter.schema.ts'
import { exportKinds } from './export-sources.ts'

const closed = { additionalProperties: false }

export const exportStates = ['running', 'done', 'failed', 'cancelled', 'expired'] as const

export const ExportPath = Type.Object({ exportId: Uuid('The export.') })

const Kind = Type.Enum(exportKinds, {
  description:
    'What is exported. `orders` and `holders` need the duty `read`, `payments` and `refunds` need `money`, `audit` ' +
    'needs `team`.',
  examples: ['orders'],
})

const filterMembers = {
  offering_id: Type.Optional(
    Uuid('Only of this offering. `holders` needs it; `audit` does not take it.', 'The offering.'),
  ),
  statuses: Type.Optional(
    Type.Array(Text(1, 40), {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Only with one of these statuses. For `orders` and `refunds`.',
      examples: [['PAID', 'MINTED']],
    }),
  ),
  from: Type.Optional(Timestamp('Only what was created at or after this time. Not for `holders`.')),
  to: Type.Optional(Timestamp('Only what was created before this time. Not for `holders`.')),
  block: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'For `holders`: after this finalized block; by default the last one.',
      examples: [23_000_000],
    }),
  ),
  actor_id: Type.Optional(Uuid('For `audit`: only changes by this user or credential.', 'The admin.')),
  subject_id: Type.Optional(Uuid('For `audit`: only changes to this resource.', 'The offering.')),
  action: Type.Optional(AuditAction),
}

export const NewExport = Type.Object(
  {
    kind: Kind,
    with_personal_data: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Also export names, e-mail addresses and the accounts of payers. Needs the duty `personal`, a passkey used ' +
          'within the last five minutes and, by the policy `personal_data_export`, a second person. Not for `audit`.',
      }),
    ),
    ...filterMembers,
  },
  { ...closed, title: 'NewExport' },
)

export const newExportExamples = {
  orders: { kind: 'orders', statuses: ['PAID', 'MINTED'], from: '2026-07-01T00:00:00.000Z' },
  holders: { kind: 'holders', offering_id: '019f2245-6100-7abc-8def-0123456789ab' },
}

export const Export = Type.Object(
  {
    id: Uuid('The export.'),
    kind: Kind,
    with_personal_data: Type.Boolean({ description: 'Whether the file contains personal data.' }),
    filter: Type.Object(filterMembers, { ...closed, description: 'The requested filters.' }),
    state: Type.Enum(exportStates, {
      description: 'Only the file of an export that is `done` can be downloaded.',
      examples: ['done'],
    }),
    row_count: Type.Integer({ minimum: 0, description: 'Rows written so far.', examples: [8412] }),
    byte_count: Type.Integer({ minimum: 0, description: 'Bytes written so far.', examples: [1_204_311] }),
    created_by: Uuid('The user who requested it.', 'The user.'),
    created_at: Timestamp('When it was requested. Rows created later are not in the file.'),
    finished_at: orNull(Timestamp('When it was completed, failed or cancelled.')),
    expires_at: Timestamp('When the file is deleted.'),
  },
  { ...closed, title: 'Export' },
)
