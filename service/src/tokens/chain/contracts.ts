import { createRequire } from 'node:module'
import {
  type Abi,
  type Address,
  concatHex,
  decodeErrorResult,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  padHex,
  toHex,
  zeroHash,
} from 'viem'
import type { Call } from './chain.ts'

// The compiled contracts of the workspace beside this one. JSON, since Node strips no types of installed packages.
const require = createRequire(import.meta.url)
const artifactOf = (name: string) =>
  require(`../../../../contracts/artifacts/${name}.json`) as { abi: Abi; bytecode: Hex }
const factory = artifactOf('TokenFactory')
const desk = artifactOf('MintDesk')
const token = artifactOf('PermissionedToken')

export const deskAbi: Abi = desk.abi
export const tokenAbi: Abi = token.abi

/**
 * The deployer that is at this address on every chain: what it makes has an address that follows from its code, so a
 * deployment that was sent twice, or by somebody else, is the same deployment.
 */
const deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

function deployment(bytecode: Hex): { address: Address; call: Call } {
  return {
    address: getContractAddress({ opcode: 'CREATE2', from: deployer, salt: zeroHash, bytecode }),
    call: { to: deployer, data: concatHex([zeroHash, bytecode]) },
  }
}

/** The factory that serves all tenants of a chain. */
export const factoryDeployment = deployment(factory.bytecode)

/** The desk of the tenant that this signer belongs to. */
export function deskDeployment(signer: Address): { address: Address; call: Call } {
  return deployment(encodeDeployData({ abi: desk.abi, bytecode: desk.bytecode, args: [signer, signer] }))
}

export interface TokenTerms {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly admin: Address
}

export function deployTokenCall(deskAddress: Address, offeringId: string, terms: TokenTerms): Call {
  const data = encodeFunctionData({
    abi: factory.abi,
    functionName: 'deploy',
    args: [deskAddress, bytes32Of(offeringId), terms],
  })
  return { to: factoryDeployment.address, data }
}

/** Where the token of an offering is or will be: a minimal clone (EIP-1167) at an address that the factory knows. */
export function tokenAddressOf(deskAddress: Address, offeringId: string): Address {
  const implementation = getContractAddress({ from: factoryDeployment.address, nonce: 1n })
  const bytecode = concatHex([
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ])
  const salt = keccak256(concatHex([padHex(deskAddress), bytes32Of(offeringId)]))
  return getContractAddress({ opcode: 'CREATE2', from: factoryDeployment.address, salt, bytecode })
}

export interface MintedOrder {
  readonly orderId: string
  readonly to: Address
  readonly units: bigint
}

export function mintCall(deskAddress: Address, tokenAddress: Address, orders: readonly MintedOrder[]): Call {
  const args = orders.map(({ orderId, to, units }) => ({ ref: bytes32Of(orderId), to, amount: units }))
  return {
    to: deskAddress,
    data: encodeFunctionData({ abi: desk.abi, functionName: 'mint', args: [tokenAddress, args] }),
  }
}

export function registerCall(deskAddress: Address, tokenAddress: Address, holders: readonly Address[]): Call {
  return {
    to: deskAddress,
    data: encodeFunctionData({ abi: desk.abi, functionName: 'register', args: [tokenAddress, holders] }),
  }
}

/** A function of the token itself, called by whoever has the role for it. */
export function tokenCall(tokenAddress: Address, functionName: string, args: readonly unknown[]): Call {
  return { to: tokenAddress, data: encodeFunctionData({ abi: token.abi, functionName, args: [...args] }) }
}

/** An id of ours as a chain carries it, and back. */
function bytes32Of(id: string): Hex {
  return padHex(`0x${id.replaceAll('-', '')}`, { size: 32 })
}

export function idOf(ref: Hex): string {
  return ref.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** What a contract said when it refused, as the name of its error and what it is about. */
export function reasonOf(data: Hex): string {
  for (const abi of [desk.abi, token.abi, factory.abi])
    try {
      const { errorName, args } = decodeErrorResult({ abi, data })
      return `${errorName}(${(args ?? []).map(String).join(', ')})`
    } catch {
      // Not one of this contract's.
    }
  return data === '0x' ? 'refused without a reason' : `refused with ${data.slice(0, 10)}`
}

/** The name of a role as the contracts know it. */
export function roleOf(name: 'MINTER' | 'REGISTRAR' | 'FREEZER' | 'FORCE_TRANSFER' | 'BURNER' | 'PAUSER'): Hex {
  return keccak256(toHex(name))
}

export function sameAddress(one: string, other: string): boolean {
  return getAddress(one) === getAddress(other)
}
