import type { Static } from 'typebox'
import { operation } from '../../platform/api/declare/operation.ts'
import type { Scope } from '../../platform/api/declare/scopes.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { indexTerms } from '../../records/search/search-term.sql.ts'
import { Account, NewAccount, newAccountExamples } from './account.schema.ts'
import { insertAccount } from './account.sql.ts'
import { encryptionContext, viewOpenAccount } from './account.view.ts'
import { termsOfAccount } from './account-terms.ts'
import { auditApproval } from './record-approval-change.ts'

export const createAccount = operation(
  {
    id: 'createAccount',
    summary: 'Create an account',
    description:
      'An account is an investor: a person (`INDIVIDUAL`, with `individual`) or a company (`COMPANY`, with ' +
      '`company`). Send `kyc` or `kyb`, not both; a status that is not sent is `NEW`. To create an account that is ' +
      'already `APPROVED`, the token also needs the scope `account.update`.',
    tag: 'Accounts',
    method: 'POST',
    path: '/accounts',
    scopes: ['account.create'],
    idempotency: 'required',
    body: NewAccount,
    bodyExamples: newAccountExamples,
    success: { status: 201, body: Account, location: ({ id }: { id: string }) => `/accounts/${id}` },
    errors: [],
  },
  async ({ body }, { tenantId, tx, vault, audit, scopes }) => {
    requireScopeToApprove(body, scopes)
    const id = newRowId()
    const account = {
      id,
      type: body.type,
      email: body.communication.email,
      emailConfirmed: body.communication.email_confirmed,
      isBeneficiary: body.is_beneficiary,
      // The schema guarantees that the body has exactly the object of its type.
      profile: body.type === 'COMPANY' ? { ...body.company } : { gender: '', ...body.individual },
      bankAccount: await vault.seal(JSON.stringify(body.bank_account), encryptionContext(id, 'bank_account')),
      taxInformation: body.tax_information
        ? await vault.seal(JSON.stringify(body.tax_information), encryptionContext(id, 'tax_information'))
        : null,
      kycStatus: body.kyc?.status ?? ('NEW' as const),
      kybStatus: body.kyb?.status ?? ('NEW' as const),
      erasedAt: null,
    }
    const terms = await termsOfAccount(account, body.bank_account.iban, vault)
    const { kycStatus, kybStatus } = account
    const data = { account_id: id, type: body.type, kyc_status: kycStatus, kyb_status: kybStatus }
    await tx.batch(
      (tx) => insertAccount(tx, tenantId, account),
      (tx) => indexTerms(tx, tenantId, [terms]),
      (tx) => recordEvent(tx, tenantId, { type: 'account.created', data }),
    )
    for (const [kind, status] of Object.entries({ kyc: kycStatus, kyb: kybStatus } as const))
      if (status !== 'NEW') auditApproval(audit, id, { kind: kind as 'kyc' | 'kyb', status, previousStatus: 'NEW' })
    return viewOpenAccount(account, body.bank_account, body.tax_information)
  },
)

/** Requires the scope to change an approval, so that a token for creating accounts cannot create approved ones. */
function requireScopeToApprove({ kyc, kyb }: Static<typeof NewAccount>, scopes: readonly Scope[]): void {
  const approved = kyc?.status === 'APPROVED' ? 'kyc' : kyb?.status === 'APPROVED' ? 'kyb' : undefined
  if (!approved || scopes.includes('account.update')) return
  throw new ApiError(
    requestErrors.insufficient_scope,
    `The member ${approved}.status can be APPROVED only if the token has the scope account.update; ` +
      `it has ${scopes.join(', ')}. Create the account without it, or request that scope.`,
  )
}
