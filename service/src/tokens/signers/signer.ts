import {
  type Address,
  type Hash,
  type Hex,
  keccak256,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'

export interface Signature {
  readonly r: Hex
  readonly s: Hex
  readonly yParity: 0 | 1
}

/**
 * What signs for a tenant: a key in the database that only the tenant's data key opens, or one that never leaves its
 * module. It sees nothing but 32 bytes.
 */
export interface Signer {
  readonly address: Address
  signDigest(digest: Hash): Promise<Signature>
}

/** The bytes of a transaction, signed, and the hash that it will have wherever it turns up. */
export async function signTransaction(
  signer: Signer,
  transaction: Omit<TransactionSerializableEIP1559, 'type'>,
): Promise<{ raw: Hex; hash: Hash }> {
  const unsigned = { ...transaction, type: 'eip1559' as const }
  const signature = await signer.signDigest(keccak256(serializeTransaction(unsigned)))
  const raw = serializeTransaction(unsigned, signature)
  return { raw, hash: keccak256(raw) }
}
