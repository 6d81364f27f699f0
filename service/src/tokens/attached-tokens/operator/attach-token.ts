import { Type } from 'typebox'
import { getAddress, isAddress } from 'viem'
import { orNull } from '../../../platform/api/declare/fields.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError, validationFailed } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { offeringErrors } from '../../../sales/offerings/offering.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { OperatorOffering } from '../../../sales/offerings/operator/operator-offering.schema.ts'
import { lockOffering } from '../../../sales/offerings/operator/operator-offering.sql.ts'
import { viewOperatorOffering } from '../../../sales/offerings/operator/operator-offering.view.ts'
import { wantToken } from '../attached-token.sql.ts'

const TokenToAttach = Type.Object(
  {
    address: orNull(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{40}$',
        'x-meaning': 'be 0x and 40 hexadecimal digits, or null',
        description: 'Where the token is; null to get a new one after all.',
        examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
      }),
    ),
  },
  { additionalProperties: false, title: 'TokenToAttach' },
)

export const attachToken = operatorOperation(
  {
    id: 'attachToken',
    summary: 'Give a draft a token that is there already',
    description:
      'Its decimals and symbol must be those of the draft, and the desk of the tenant must have the roles MINTER and ' +
      'REGISTRAR. The chain is asked a moment later: then the offering has `token_address`, or `token_refusal` says ' +
      'why not. Until then it cannot be opened.',
    tag: 'Settlement',
    method: 'POST',
    path: '/offerings/:offeringId/attach-token',
    role: 'operator',
    idempotency: 'optional',
    params: OfferingPath,
    body: TokenToAttach,
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found, offeringErrors.offering_not_draft],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const offering = await lockOffering(tx, key)
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    if (offering.status !== 'DRAFT')
      throw new ApiError(
        offeringErrors.offering_not_draft,
        `The offering is ${offering.status}: its token no longer changes.`,
      )
    if (body.address !== null && !isAddress(body.address))
      throw validationFailed([
        { detail: 'The member address must be an address with its right checksum (EIP-55).', pointer: '/address' },
      ])
    const address = body.address === null ? null : getAddress(body.address)
    await wantToken(tx, key, address)
    audit({
      action: 'offering.token_attached',
      subject: { type: 'offering', id: params.offeringId },
      before: { wanted_token_address: offering.wantedTokenAddress },
      after: { wanted_token_address: address },
    })
    const wanted = { wantedTokenAddress: address, tokenRefusal: null, tokenAddress: null }
    return viewOperatorOffering({ ...offering, ...wanted })
  },
)
