import { Type } from 'typebox'
import { Closed, Uuid } from '../../platform/api/declare/fields.ts'
import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { AccountPath } from '../../sales/accounts/account.schema.ts'
import { findAccount } from '../../sales/accounts/account.sql.ts'
import { RegisterExtractPage } from './register-extract.schema.ts'
import { selectExtractsBefore } from './register-extract.sql.ts'
import { viewRegisterExtract } from './register-extract.view.ts'

const limitMin = 10
const limitMax = 50

export const listRegisterExtracts = operation(
  {
    id: 'listRegisterExtracts',
    summary: 'List the register extracts of an account',
    description:
      'The extracts of a holder, newest first, without their files: those that were requested, and those made ' +
      'after a change.',
    tag: 'Accounts',
    method: 'GET',
    path: '/accounts/:accountId/register-extracts',
    scopes: ['account.read'],
    idempotency: 'none',
    params: AccountPath,
    query: Closed({
      before: Type.Optional(Uuid('Only extracts older than the one with this id.', 'The extract.')),
      offering_id: Type.Optional(Uuid('Only of this offering.', 'The offering.')),
      limit: Type.Optional(
        Type.Integer({
          minimum: limitMin,
          maximum: limitMax,
          default: limitMin,
          description: 'The maximum number of extracts to return.',
        }),
      ),
    }),
    success: { status: 200, body: RegisterExtractPage },
    errors: [requestErrors.not_found],
    isExtension: true,
  },
  async ({ params, query }, { tenantId, tx, selfUrl }) => {
    const { before, offering_id: offeringId, limit = limitMin } = query
    const key = { tenantId, ...params }
    // One row more than the page, to know whether a next page exists.
    const [account, rows] = await tx.batch(
      (tx) => findAccount(tx, key),
      (tx) => selectExtractsBefore(tx, key, { before, offeringId, limit: limit + 1 }),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'Account not found.')
    const extracts = rows.slice(0, limit).map(viewRegisterExtract)
    const filter = offeringId ? `&offering_id=${offeringId}` : ''
    const link = `${selfUrl}?before=${extracts.at(-1)?.id}&limit=${limit}${filter}`
    return { extracts, next: rows.length > limit ? link : null }
  },
)
