import { Type } from 'typebox'
import { getAddress, isAddress } from 'viem'
import { Named, orNull } from '../../../platform/api/declare/fields.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../../../sales/offerings/offering.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { OperatorOffering } from '../../../sales/offerings/operator/operator-offering.schema.ts'
import { lockOffering, offeringFingerprint } from '../../../sales/offerings/operator/operator-offering.sql.ts'
import { viewOperatorOffering } from '../../../sales/offerings/operator/operator-offering.view.ts'
import { setAttachedToken } from '../attached-token.sql.ts'

const TokenToAttach = Named('TokenToAttach', {
  address: orNull(
    Type.String({
      pattern: '^0x[0-9a-fA-F]{40}$',
      'x-meaning': 'be 0x and 40 hexadecimal digits, or null',
      description: 'The address of the token contract; null to have the service deploy a new token.',
      examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
    }),
  ),
})

export const attachToken = operatorOperation(
  {
    id: 'attachToken',
    summary: 'Attach an existing token to a draft',
    description:
      'The token must have the decimals and symbol of the draft, and the mint desk of the tenant must have its roles ' +
      'MINTER and REGISTRAR. A worker checks this on the chain within seconds: the offering then has ' +
      '`token_address`, or `token_rejection` says why not. It cannot be opened before the check has passed.',
    tag: 'Settlement',
    method: 'POST',
    path: '/offerings/:offeringId/attach-token',
    duty: 'settlement',
    offering: 'params.offeringId',
    approval: 'policy',
    idempotency: 'optional',
    params: OfferingPath,
    body: TokenToAttach,
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found, offeringErrors.offering_not_draft],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const offering = await lockOffering(tx, key)
    if (!offering) throw new ApiError(requestErrors.not_found, 'This offering does not exist.')
    if (offering.status !== 'DRAFT')
      throw new ApiError(
        offeringErrors.offering_not_draft,
        `The offering is ${offering.status}: a token can be attached only to a draft.`,
      )
    if (body.address !== null && !isAddress(body.address))
      throw validationFailed([
        { detail: 'The member address must be an address with a valid EIP-55 checksum.', pointer: '/address' },
      ])
    const address = body.address === null ? null : getAddress(body.address)
    await setAttachedToken(tx, key, address)
    audit({
      action: 'offering.token_attached',
      subject: { type: 'offering', id: params.offeringId },
      before: { attached_token_address: offering.attachedTokenAddress },
      after: { attached_token_address: address },
    })
    const changed = { attachedTokenAddress: address, tokenRejection: null, tokenAddress: null }
    return viewOperatorOffering({ ...offering, ...changed })
  },
  { policy: 'attached_token', subject: 'offering', fingerprint: offeringFingerprint },
)
