import { Type } from 'typebox'
import { Named, orNull } from '../../platform/api/declare/fields.ts'

const closed = { additionalProperties: false }

const Sequence = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description, examples: [1] })
const Hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  'x-meaning': 'be 64 hexadecimal digits in lower case',
  description: 'The hash of the entry with that sequence.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
const Head = Named('AuditHead', { sequence: Sequence(1, 'The last entry.'), hash: Hash })

export const AuditVerificationRequest = Named('AuditVerificationRequest', {
  after_sequence: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Where to start: 0, or `verified_to` of the response before.',
    }),
  ),
  expected_head: Type.Optional(
    Type.Object(
      { sequence: Sequence(1, 'An entry.'), hash: Hash },
      {
        ...closed,
        description:
          'A `head` of an earlier response, kept outside the database. Only this reveals a chain that the owner of ' +
          'the database has rewritten as a whole.',
      },
    ),
  ),
})

export const AuditVerification = Named('AuditVerification', {
  verified_to: Sequence(0, 'All entries through this one are intact, from the given start on.'),
  is_complete: Type.Boolean({ description: 'False: there are more entries. Repeat with `after_sequence`.' }),
  head: orNull(Head, { description: 'The end of the chain. Keep it outside the database. Null if it is empty.' }),
  problem: orNull(
    Named('AuditProblem', {
      sequence: Sequence(0, 'Where the chain is broken.'),
      detail: Type.String({ examples: ['the row does not match its hash'] }),
    }),
    { description: 'The first problem; null if the part is intact.', examples: [null] },
  ),
})
