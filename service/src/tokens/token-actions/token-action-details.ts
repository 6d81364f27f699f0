import type { Static } from 'typebox'
import { getAddress, isAddress } from 'viem'
import { type Failure, validationFailed } from '../../platform/api/errors/errors.ts'
import type { NewTokenAction } from './token-action.schema.ts'
import type { TokenActionDetails } from './token-action.sql.ts'
import type { TokenActionKind } from './token-action.ts'

type Member = keyof TokenActionDetails

/** Which members an action of each kind has; all others it has not. */
const membersOf: Readonly<Record<TokenActionKind, readonly Member[]>> = {
  FREEZE: ['wallet_address', 'units'],
  FORCED_TRANSFER: ['wallet_address', 'to_address', 'units'],
  BURN: ['wallet_address', 'units'],
  PAUSE: [],
  UNPAUSE: [],
}
const members: readonly Member[] = ['wallet_address', 'to_address', 'units']

/** What is proposed, complete and with addresses as they are written; or every failure at once. */
export function detailsOf(body: Static<typeof NewTokenAction>): TokenActionDetails {
  const failures = members.flatMap((member) => failuresOf(body, member))
  if (failures.length > 0) throw validationFailed(failures)
  const { wallet_address: wallet, to_address: to, units } = body
  return {
    ...(wallet === undefined ? {} : { wallet_address: getAddress(wallet) }),
    ...(to === undefined ? {} : { to_address: getAddress(to) }),
    ...(units === undefined ? {} : { units }),
  }
}

function failuresOf(body: Static<typeof NewTokenAction>, member: Member): Failure[] {
  const { kind } = body
  const value = body[member]
  const fail = (what: string) => [{ detail: `The member ${member} ${what}.`, pointer: `/${member}` }]
  const isWanted = membersOf[kind].includes(member)
  if (value === undefined) return isWanted ? fail(`is missing; a ${kind} needs it`) : []
  if (!isWanted) return fail(`has no meaning in a ${kind}`)
  if (member === 'units') return value === '0' && kind !== 'FREEZE' ? fail('must be at least 1') : []
  // An address in both cases carries a checksum: a slip of the pen is found here and not on the chain.
  if (!isAddress(value)) return fail('must be an address with its right checksum (EIP-55), or all in lower case')
  if (BigInt(value) === 0n) return fail('must not be the zero address')
  const isToItself = member === 'to_address' && value.toLowerCase() === body.wallet_address?.toLowerCase()
  return isToItself ? fail('must be another one than wallet_address') : []
}
