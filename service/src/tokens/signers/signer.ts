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

/** Signs for one address. It receives only the 32-byte digest, so that every key backend can implement it. */
export interface Signer {
  readonly address: Address
  signDigest(digest: Hash): Promise<Signature>
}

/** Returns the raw signed transaction and its hash, which identifies it in every block that includes it. */
export async function signTransaction(
  signer: Signer,
  transaction: Omit<TransactionSerializableEIP1559, 'type'>,
): Promise<{ raw: Hex; hash: Hash }> {
  const unsigned = { ...transaction, type: 'eip1559' as const }
  const signature = await signer.signDigest(keccak256(serializeTransaction(unsigned)))
  const raw = serializeTransaction(unsigned, signature)
  return { raw, hash: keccak256(raw) }
}
