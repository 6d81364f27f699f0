import { Type } from 'typebox'
import { Named, orNull, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'
import { extractFormats } from '../../sales/offerings/operator/operator-offering.schema.ts'

export const extractCauses = ['request', 'change'] as const

export const RegisterExtractPath = Type.Object({
  accountId: Uuid('The account.'),
  extractId: Uuid('The extract.'),
})

const Format = Type.Enum(extractFormats, { description: 'The format of the file.', examples: ['pdf'] })

export const NewRegisterExtract = Named('NewRegisterExtract', {
  offering_id: Uuid('The offering.'),
  format: Format,
  at: Type.Optional(Timestamp('As of this time; by default as of the last finalized block.')),
})

const members = {
  id: Uuid('The extract.'),
  account_id: Uuid('The holder.', 'The account.'),
  offering_id: Uuid('The offering.'),
  cause: Type.Enum(extractCauses, {
    description: '`change`: made after a finalized change of the position of the holder.',
    examples: ['change'],
  }),
  format: Format,
  block: Type.Integer({
    minimum: 0,
    description: 'The last block that changed the register; 0 before the first.',
    examples: [23_000_000],
  }),
  block_hash: orNull(Type.String({ description: 'The hash of that block.', examples: [`0x${'9f'.repeat(32)}`] })),
  units: Units('What the holder has after that block.'),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The hash of the file, which is in the audit log too.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  bytes: Type.Integer({ minimum: 1, description: 'The size of the file.', examples: [2_140] }),
  created_at: Timestamp('When it was made.'),
}

export const RegisterExtractSummary = Named('RegisterExtractSummary', members)

export const RegisterExtract = Named('RegisterExtract', {
  ...members,
  content: orNull(Type.String({ description: 'The file in base64.', examples: ['JVBERi0xLjcK'] }), {
    description: 'Null once the personal data of the account is erased.',
  }),
})

export const RegisterExtractPage = Named('RegisterExtractPage', {
  extracts: Type.Array(RegisterExtractSummary),
  next: orNull(Type.String({ description: 'The next page, or null on the last one.' }), { examples: [null] }),
})
