import { Type } from 'typebox'
import { getAddress, isAddress } from 'viem'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { capSetBy } from '../chain/contracts.ts'
import type { TokenActionKind } from '../chain-ops/chain-op.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { resumeMintingAfterPause, setTokenCap, stopMintingWhilePaused } from '../minting/offering-token.sql.ts'

const ChainAddress = (description: string) =>
  Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    'x-meaning': 'be 0x and 40 hexadecimal digits',
    description,
    examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  })

const UnitCount = (description: string) =>
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    maxLength: 78,
    format: 'uint256',
    'x-meaning': 'be a whole number as a string of digits without a leading zero, in the smallest token unit',
    description,
    examples: ['100000000'],
  })

/** The members that depend on the kind. The API description adds which kinds require them. */
export const tokenActionMembers = {
  wallet_address: { meaning: 'The wallet whose units are affected', schema: ChainAddress, parse: getAddress },
  to_address: { meaning: 'The recipient', schema: ChainAddress, parse: getAddress },
  units: {
    meaning: 'The number of units, in the smallest token unit',
    schema: UnitCount,
    parse: (units: string) => units,
  },
} as const

export type TokenActionMember = keyof typeof tokenActionMembers
export const tokenActionMemberNames = Object.keys(tokenActionMembers) as TokenActionMember[]

export type TokenActionDetails = {
  [Name in TokenActionMember]?: ReturnType<(typeof tokenActionMembers)[Name]['parse']>
}

/** Returns what is wrong with a member's value that its schema cannot express. */
type Check = (value: string, members: Readonly<Partial<Record<TokenActionMember, string>>>) => string | undefined

const address: Check = (value) => {
  // A mixed-case address contains a checksum, so this finds typos.
  if (!isAddress(value)) return 'must be an address with a valid EIP-55 checksum, or all in lower case'
  return BigInt(value) === 0n ? 'must not be the zero address' : undefined
}
const otherAddress: Check = (value, { wallet_address: wallet }) =>
  address(value, {}) ?? (value.toLowerCase() === wallet?.toLowerCase() ? 'must differ from wallet_address' : undefined)
const someUnits: Check = (value) => (value === '0' ? 'must be at least 1' : undefined)
const anyUnits: Check = () => undefined

interface TokenAction {
  /** Completes the sentence that begins with the kind, in the API description. */
  readonly effect: string
  /** The role that the token contract requires. */
  readonly role: string
  /** The members that the action requires, with their checks. All others must be absent. */
  readonly members: Readonly<Partial<Record<TokenActionMember, Check>>>
  /** The function of the token contract, and its arguments. Only the members that the action requires are there. */
  readonly call: (details: Required<TokenActionDetails>) => readonly [name: string, ...args: unknown[]]
  readonly onEnqueued?: (tx: Transaction, key: OfferingKey) => Promise<void>
  /** No kind can be retried, see token-action-handlers.ts. */
  readonly handler?: Omit<ChainOpHandler, 'retry'>
}

/** All kinds of token actions. To add one, see CONTRIBUTING. */
export const tokenActions: Readonly<Record<TokenActionKind, TokenAction>> = {
  FREEZE: {
    effect: 'freezes units of a wallet (0 unfreezes all of them)',
    role: 'FREEZER',
    members: { wallet_address: address, units: anyUnits },
    call: ({ wallet_address: wallet, units }) => ['setFrozenTokens', wallet, BigInt(units)],
  },
  FORCED_TRANSFER: {
    effect: 'moves units to another wallet',
    role: 'FORCE_TRANSFER',
    members: { wallet_address: address, to_address: otherAddress, units: someUnits },
    call: ({ wallet_address: from, to_address: to, units }) => ['forcedTransfer', from, to, BigInt(units)],
  },
  BURN: {
    effect: 'destroys units',
    role: 'BURNER',
    members: { wallet_address: address, units: someUnits },
    call: ({ wallet_address: wallet, units }) => ['burn', wallet, BigInt(units)],
  },
  PAUSE: {
    effect: 'stops all transfers and mints of the token',
    role: 'PAUSER',
    members: {},
    call: () => ['pause'],
    // Stops minting now, not when the pause is FINAL: mints planned in between would revert.
    onEnqueued: stopMintingWhilePaused,
    handler: { onFailed: resumeMintingAfterPause },
  },
  UNPAUSE: {
    effect: 'allows them again',
    role: 'PAUSER',
    members: {},
    call: () => ['unpause'],
    handler: { onFinal: resumeMintingAfterPause },
  },
  SET_CAP: {
    effect: 'changes the largest supply of the token, which is at first the `total_units` of the offering',
    role: 'CAP_SETTER',
    members: { units: someUnits },
    call: ({ units }) => ['setCap', BigInt(units)],
    // Stored once it is FINAL: the units that an offering may sell are compared with the cap on the chain.
    handler: { onFinal: (tx, op) => setTokenCap(tx, op, capSetBy(op.data)) },
  },
}
