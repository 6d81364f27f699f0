import { operation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { accountErrors } from '../../sales/accounts/account.errors.ts'
import { AccountPath } from '../../sales/accounts/account.schema.ts'
import { requireNotErased } from '../../sales/accounts/require-not-erased.ts'
import { findErasure } from '../../sales/documents/document.sql.ts'
import { findVisibleOffering } from '../../sales/offerings/offering.sql.ts'
import { holderErrors } from '../../tokens/register/holder.errors.ts'
import { resolveBlock } from '../../tokens/register/resolve-block.ts'
import { makeExtract } from './make-extract.ts'
import { NewRegisterExtract, RegisterExtract } from './register-extract.schema.ts'
import { viewRegisterExtract } from './register-extract.view.ts'

export const createRegisterExtract = operation(
  {
    id: 'createRegisterExtract',
    summary: 'Extract what the register says about a holder',
    description:
      'Makes a file with the units of the account in an offering, their nominal value and restrictions, and what ' +
      'identifies the security. It has nothing of other holders. Its hash is in the audit log of the operator. ' +
      'Without an idempotency key, sending the request again makes a second extract.',
    tag: 'Accounts',
    method: 'POST',
    path: '/accounts/:accountId/register-extracts',
    scopes: ['account.update'],
    idempotency: 'optional',
    params: AccountPath,
    body: NewRegisterExtract,
    success: {
      status: 201,
      body: RegisterExtract,
      location: ({ id, account_id: accountId }: { id: string; account_id: string }) =>
        `/accounts/${accountId}/register-extracts/${id}`,
    },
    errors: [requestErrors.not_found, accountErrors.account_erased, holderErrors.block_not_finalized],
    isExtension: true,
  },
  async ({ params: { accountId }, body }, { tenantId, tx, vault, now, audit }) => {
    const key = { tenantId, offeringId: body.offering_id }
    const [account, offering] = await tx.batch(
      (tx) => findErasure(tx, { tenantId, accountId }),
      (tx) => findVisibleOffering(tx, key),
    )
    if (!account) throw new ApiError(requestErrors.not_found, 'Account not found.')
    if (!offering) throw new ApiError(requestErrors.not_found, 'Offering not found.')
    requireNotErased(account)
    const { block } = await resolveBlock(tx, key, { at: body.at })
    const wanted = {
      accountId,
      block: block ?? 0n,
      at: body.at ?? null,
      format: body.format,
      cause: 'request',
      now,
    } as const
    const made = await makeExtract({ tx, vault }, key, wanted)
    if (!made) throw new Error('an extract was not inserted')
    audit(made.entry)
    return { ...viewRegisterExtract(made.row), content: made.file.toString('base64') }
  },
)
