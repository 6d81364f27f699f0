import type { Hex } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { getAddress, isAddressEqual } from 'viem/utils'
import type { ContractSignature } from '../../platform/api/declare/services.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { chainIds } from './blockchains.ts'
import { challengeMessage, type OpenChallenge } from './challenge.ts'
import type { ChallengeSite } from './challenge-site.ts'
import { isSignedByKey, isUndeployedSignature } from './signature.ts'
import { walletErrors } from './wallet.errors.ts'

interface Proof {
  readonly message: string
  readonly signature: string
}

interface ProofFacts {
  readonly site: ChallengeSite
  readonly now: Date
  /** Answer of the chain about the signature; undefined if it was not asked. */
  readonly contractSignature: ContractSignature | undefined
}

/** Throws, naming the wrong part, unless the owner of the address signed exactly this challenge. */
export async function requireProof(challenge: OpenChallenge, proof: Proof, facts: ProofFacts): Promise<void> {
  const problem =
    findMessageProblem(challenge, proof.message, facts) ?? (await findSignatureProblem(challenge, proof, facts))
  if (problem) throw new ApiError(walletErrors.wallet_proof_invalid, problem)
}

function findMessageProblem(
  challenge: OpenChallenge,
  message: string,
  { site, now }: Pick<ProofFacts, 'site' | 'now'>,
): string | undefined {
  const signed = parseSiweMessage(message)
  const address = getAddress(challenge.publicAddress)
  if (!signed.address || signed.version !== '1') return 'The message does not have the form of EIP-4361.'
  if (!isAddressEqual(signed.address, address)) return 'The message is for another address.'
  if (signed.chainId !== chainIds[challenge.blockchain]) return 'The message is for another chain id.'
  if (signed.domain !== site.domain) return `The message is for another domain than ${site.domain}.`
  if (signed.nonce !== challenge.nonce) return 'The message has another nonce than the latest challenge of the wallet.'
  if (isPast(signed.expirationTime, now) || isPast(challenge.expiresAt, now)) return 'The challenge has expired.'
  // Catches everything else that could be changed: account, wallet, statement, times, site.
  if (message !== challengeMessage(challenge, site)) return 'The message is not the latest challenge, word for word.'
  return undefined
}

/** Returns true even for a missing or unparsable time. */
function isPast(time: Date | undefined, now: Date): boolean {
  return !time || !(now < time)
}

async function findSignatureProblem(
  { publicAddress, blockchain }: OpenChallenge,
  { message, signature }: Proof,
  { contractSignature }: Pick<ProofFacts, 'contractSignature'>,
): Promise<string | undefined> {
  if (await isSignedByKey(getAddress(publicAddress), message, signature as Hex)) return undefined
  if (isUndeployedSignature(signature))
    return 'The signature is of a contract wallet that is not deployed yet (ERC-6492). Deploy it, then sign again.'
  switch (contractSignature) {
    case 'valid':
      return undefined
    case 'no node':
      return (
        'The signature is not of this message by the key of this address, and the service has no node of ' +
        `${blockchain} to ask a contract wallet.`
      )
    case 'unavailable':
      throw new ApiError(
        walletErrors.chain_unavailable,
        `The nodes of ${blockchain} do not answer, so the contract wallet cannot be asked. Send the proof again later.`,
      )
    case 'no contract':
      return (
        'The signature is not a signature of this message by this address, and no contract exists there in a ' +
        'finalized block: a new contract wallet can sign as soon as its deployment is final.'
      )
    case 'invalid':
    case undefined:
      return 'The signature is not a signature of this message by this address.'
  }
}
