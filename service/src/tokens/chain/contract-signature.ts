import { type Address, encodeFunctionData, type Hex, hashMessage, parseAbi } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import type { ContractSignature } from '../../platform/api/declare/services.ts'
import { blockchains, chainIds } from '../../sales/wallets/blockchains.ts'
import { isSignedByKey, isUndeployedSignature } from '../../sales/wallets/signature.ts'
import { CallReverted, type Chain, ChainUnavailable } from './chain.ts'

const contractWalletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** Result of a contract for a valid signature: the selector of isValidSignature, as a word. */
const acceptedWord = `0x1626ba7e${'0'.repeat(56)}`

// A multisignature wallet with owners who sign by passkey needs some hundred thousand per owner. The caller chooses the
// contract, so it must not be able to keep a node busy.
const gasMax = 5_000_000n

/**
 * Asks the chain of a signed EIP-4361 message whether the contract at its address accepts the signature (EIP-1271).
 * Returns undefined if the question does not arise: a key signed, or the message names no address on a known chain.
 */
export async function askContractWallet(
  chains: ReadonlyMap<string, Chain>,
  { message, signature }: { message: string; signature: string },
): Promise<ContractSignature | undefined> {
  const { address, chainId } = parseSiweMessage(message)
  const name = blockchains.find((blockchain) => chainIds[blockchain] === chainId)
  if (!address || !name || isUndeployedSignature(signature)) return undefined
  if (await isSignedByKey(address, message, signature as Hex)) return undefined
  const chain = chains.get(name)
  if (!chain) return 'no node'
  try {
    return await ask(chain, address, message, signature as Hex)
  } catch (error) {
    if (error instanceof CallReverted) return 'invalid'
    if (error instanceof ChainUnavailable) return 'unavailable'
    throw error
  }
}

/** Asks at a finalized block: several nodes must agree on the result, and a reorg cannot take the proof back. */
async function ask(chain: Chain, to: Address, message: string, signature: Hex): Promise<ContractSignature> {
  const [isContract, blockNumber] = await Promise.all([chain.hasCode(to, 'finalized'), chain.finalized()])
  if (!isContract) return 'no contract'
  const args = [hashMessage(message), signature] as const
  const data = encodeFunctionData({ abi: contractWalletAbi, functionName: 'isValidSignature', args })
  return (await chain.read({ to, data, gas: gasMax }, blockNumber)) === acceptedWord ? 'valid' : 'invalid'
}
