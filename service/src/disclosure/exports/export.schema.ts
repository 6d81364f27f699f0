import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'
import { AuditAction } from '../../records/audit/audit-filter.schema.ts'
import { exportFormats } from './export-source.ts'
import { exportKinds } from './export-sources.ts'

const closed = { additionalProperties: false }

export const exportStates = ['running', 'done', 'failed', 'cancelled', 'expired'] as const

export const ExportPath = Type.Object({ exportId: Uuid('The export.') })

const Kind = Type.Enum(exportKinds, {
  description:
    'What is exported. `orders`, `holders` and `register` need the duty `read`, `payments` and `refunds` need ' +
    '`money`, `audit` needs `team`. `register` is an extract of the register of holders: with ISIN, issuer, nominal ' +
    'value and restrictions, and with the hash of its file in the audit log.',
  examples: ['orders'],
})

const Format = Type.Enum(exportFormats, {
  default: 'csv',
  description: 'The format of the file. `json` and `pdf` are for `register` only.',
  examples: ['csv'],
})

const filterMembers = {
  offering_id: Type.Optional(
    Uuid('Only of this offering. `holders` and `register` need it; `audit` does not take it.', 'The offering.'),
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
  from: Type.Optional(Timestamp('Only what was created at or after this time. Not for `holders` and `register`.')),
  to: Type.Optional(Timestamp('Only what was created before this time. Not for `holders` and `register`.')),
  block: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'For `holders` and `register`: after this finalized block; by default the last one.',
      examples: [23_000_000],
    }),
  ),
  at: Type.Optional(Timestamp('For `register`: at this time, instead of after a block.')),
  account_id: Type.Optional(
    Uuid('For `register`: only of this holder. The file then has nothing of others.', 'The account.'),
  ),
  actor_id: Type.Optional(Uuid('For `audit`: only changes by this user or credential.', 'The admin.')),
  subject_id: Type.Optional(Uuid('For `audit`: only changes to this resource.', 'The offering.')),
  action: Type.Optional(AuditAction),
}

export const NewExport = Named('NewExport', {
  kind: Kind,
  format: Type.Optional(Format),
  with_personal_data: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Also export names, e-mail addresses and the accounts of payers. Needs the duty `personal`, a passkey used ' +
        'within the last five minutes and, by the policy `personal_data_export`, a second person. Not for `audit`.',
    }),
  ),
  ...filterMembers,
})

export const newExportExamples = {
  orders: { kind: 'orders', statuses: ['PAID', 'MINTED'], from: '2026-07-01T00:00:00.000Z' },
  holders: { kind: 'holders', offering_id: '019f2245-6100-7abc-8def-0123456789ab' },
  register: {
    kind: 'register',
    format: 'pdf',
    offering_id: '019f2245-6100-7abc-8def-0123456789ab',
    at: '2026-06-30T22:00:00.000Z',
  },
}

export const Export = Named('Export', {
  id: Uuid('The export.'),
  kind: Kind,
  with_personal_data: Type.Boolean({ description: 'Whether the file contains personal data.' }),
  format: Format,
  filter: Type.Object(filterMembers, { ...closed, description: 'The requested filters.' }),
  state: Type.Enum(exportStates, {
    description: 'Only the file of an export that is `done` can be downloaded.',
    examples: ['done'],
  }),
  row_count: Type.Integer({ minimum: 0, description: 'Rows written so far.', examples: [8412] }),
  byte_count: Type.Integer({ minimum: 0, description: 'Bytes written so far.', examples: [1_204_311] }),
  sha256: orNull(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'For a finished `register`: the hash of the file, which is in the audit log too.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    { examples: [null] },
  ),
  unit_sum: orNull(Units('For `register`: the units of all rows written so far.'), { examples: [null] }),
  created_by: Uuid('The user who requested it.', 'The user.'),
  created_at: Timestamp('When it was requested. Rows created later are not in the file.'),
  finished_at: orNull(Timestamp('When it was completed, failed or cancelled.')),
  expires_at: Timestamp('When the file is deleted.'),
})
