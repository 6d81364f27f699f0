import { createRequire } from 'node:module'
import {
  type Abi,
  type Address,
  concatHex,
  decodeErrorResult,
  decodeFunctionData,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  padHex,
  parseEventLogs,
  size,
  sliceHex,
  toHex,
  zeroHash,
} from 'viem'
import type { Call } from './chain.ts'

// The compiled contracts of the contracts workspace. JSON, because Node does not strip types in installed packages.
const require = createRequire(import.meta.url)
const artifactOf = (name: string) =>
  require(`../../../../contracts/artifacts/${name}.json`) as { abi: Abi; bytecode: Hex }
const factory = artifactOf('TokenFactory')
const desk = artifactOf('MintDesk')
const token = artifactOf('PermissionedToken')

export const deskAbi: Abi = desk.abi
export const tokenAbi: Abi = token.abi

/**
 * The deterministic deployment proxy, which has this address on every chain. The address of a contract that it deploys
 * is derived from the contract's code (CREATE2), so sending a deployment twice, or from another address, has no effect.
 */
const deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

function deployment(bytecode: Hex): { address: Address; call: Call } {
  return {
    address: getContractAddress({ opcode: 'CREATE2', from: deployer, salt: zeroHash, bytecode }),
    call: { to: deployer, data: concatHex([zeroHash, bytecode]) },
  }
}

/** The token factory. All tenants of a chain share it. Another version of the contracts has another address. */
export const factoryDeployment = deployment(factory.bytecode)

/** All factories that this service has used: tokens of earlier versions stay in use. */
export const factoryAddresses: readonly Address[] = [
  factoryDeployment.address,
  // Factory of an earlier release, whose tokens do not enforce the lock-up.
  '0xbd1c4F6243E29D0F8fAEE06b55Eff8D8b4Fd420d',
]

/** Returns the address of the contract that a call to the deployment proxy creates. */
export function addressCreatedBy({ data }: Pick<Call, 'data'>): Address {
  return deployment(sliceHex(data, size(zeroHash))).address
}

/** Returns the mint desk of the tenant that owns this signer. By default the signer is its admin, too. */
export function deskDeployment(signer: Address, admin: Address = signer): { address: Address; call: Call } {
  return deployment(encodeDeployData({ abi: desk.abi, bytecode: desk.bytecode, args: [admin, signer] }))
}

export interface TokenTerms {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** The largest supply, in the smallest token unit. */
  readonly cap: bigint
  readonly admin: Address
  /** Time until which the token rejects transfers by holders. */
  readonly lockUpUntil: Date | null
}

export function deployTokenCall(deskAddress: Address, offeringId: string, terms: TokenTerms): Call {
  const data = encodeFunctionData({
    abi: factory.abi,
    functionName: 'deploy',
    args: [deskAddress, bytes32FromId(offeringId), { ...terms, lockUpUntil: secondsOf(terms.lockUpUntil) }],
  })
  return { to: factoryDeployment.address, data }
}

/** Derives the address of an offering's token: a minimal clone (EIP-1167) that the factory creates by CREATE2. */
export function tokenAddressOf(deskAddress: Address, offeringId: string): Address {
  const implementation = getContractAddress({ from: factoryDeployment.address, nonce: 1n })
  const bytecode = concatHex([
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ])
  const salt = keccak256(concatHex([padHex(deskAddress), bytes32FromId(offeringId)]))
  return getContractAddress({ opcode: 'CREATE2', from: factoryDeployment.address, salt, bytecode })
}

export interface MintedOrder {
  readonly orderId: string
  readonly to: Address
  readonly units: bigint
}

export function mintCall(deskAddress: Address, tokenAddress: Address, orders: readonly MintedOrder[]): Call {
  const args = orders.map(({ orderId, to, units }) => ({ ref: bytes32FromId(orderId), to, amount: units }))
  return {
    to: deskAddress,
    data: encodeFunctionData({ abi: desk.abi, functionName: 'mint', args: [tokenAddress, args] }),
  }
}

/** Registers holders with the token, or unregisters them. */
export function registrationCall(
  deskAddress: Address,
  tokenAddress: Address,
  holders: readonly Address[],
  isRegistered: boolean,
): Call {
  const functionName = isRegistered ? 'register' : 'unregister'
  return { to: deskAddress, data: encodeFunctionData({ abi: desk.abi, functionName, args: [tokenAddress, holders] }) }
}

/** Builds a call of the token contract itself; the sender needs the role that the function requires. */
export function tokenCall(tokenAddress: Address, functionName: string, args: readonly unknown[]): Call {
  return { to: tokenAddress, data: encodeFunctionData({ abi: token.abi, functionName, args: [...args] }) }
}

/** Sets the lock-up of a token; null ends it. */
export function lockUpCall(tokenAddress: Address, until: Date | null): Call {
  return tokenCall(tokenAddress, 'setLockUp', [secondsOf(until)])
}

/** Rounds up: a lock-up does not end before its time. */
function secondsOf(time: Date | null): bigint {
  return time === null ? 0n : BigInt(Math.max(0, Math.ceil(time.getTime() / 1_000)))
}

/** Returns the name of the function that a transaction calls in one of our contracts, such as `mint` or `burn`. */
export function functionNameOf(data: Hex): string | undefined {
  for (const abi of [desk.abi, token.abi, factory.abi])
    try {
      return decodeFunctionData({ abi, data }).functionName
    } catch {
      // Not a function of this contract.
    }
  return undefined
}

/** Reads from the factory's logs the desks for which it has deployed a token. */
export function deployingDesks(logs: readonly { data: Hex; topics: [Hex, ...Hex[]] | [] }[]): DeployedToken[] {
  return parseEventLogs({ abi: factory.abi, logs: logs as never, eventName: 'TokenDeployed' }).map((log) => {
    const { desk: deskAddress, offering } = (log as unknown as { args: { desk: Address; offering: Hex } }).args
    return { deskAddress, offeringId: idFromBytes32(offering) }
  })
}

export interface DeployedToken {
  readonly deskAddress: Address
  readonly offeringId: string
}

/** Returns the cap that a call of `setCap` sets. */
export function capSetBy(data: Hex): bigint {
  const { args } = decodeFunctionData({ abi: token.abi, data })
  const [cap] = args ?? []
  if (typeof cap !== 'bigint') throw new Error('the call does not set a cap')
  return cap
}

/** Converts a UUID to the bytes32 that the contracts use; `idFromBytes32` reverses it. */
function bytes32FromId(id: string): Hex {
  return padHex(`0x${id.replaceAll('-', '')}`, { size: 32 })
}

export function idFromBytes32(ref: Hex): string {
  const id = ref.slice(-32)
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
}

/**
 * Decodes revert data of our contracts as the error's name and arguments, such as `ERC7943CannotReceive(0x…)`. Names a
 * missing role, whose identifier is a hash.
 */
export function decodeRevertReason(data: Hex): string {
  for (const abi of [desk.abi, token.abi, factory.abi])
    try {
      const { errorName, args } = decodeErrorResult({ abi, data })
      const [account, role] = args ?? []
      if (errorName === 'AccessControlUnauthorizedAccount')
        return `${errorName}: ${String(account)} does not have the role ${roleName(role)}`
      return `${errorName}(${(args ?? []).map(String).join(', ')})`
    } catch {
      // Not an error of this contract.
    }
  return data === '0x' ? 'reverted without a reason' : `reverted with unknown error ${data.slice(0, 10)}`
}

/** Each role is a constant of its contract. */
const roles = [...desk.abi, ...token.abi].flatMap((item) =>
  item.type === 'function' && item.inputs.length === 0 && item.outputs[0]?.type === 'bytes32' ? [item.name] : [],
)

/** Returns the identifier of a role in the contracts. */
export function roleHash(name: string): Hex {
  if (!roles.includes(name)) throw new Error(`no contract has the role ${name}`)
  return keccak256(toHex(name))
}

function roleName(hash: unknown): string {
  if (hash === zeroHash) return 'DEFAULT_ADMIN_ROLE'
  return roles.find((name) => roleHash(name) === hash) ?? String(hash)
}

export function isSameAddress(one: string, other: string): boolean {
  return getAddress(one) === getAddress(other)
}
