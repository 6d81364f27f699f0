/** EIP-155 chain ids of the chains whose address owners can sign a challenge. */
export const chainIds = {
  ethereum: 1,
  sepolia: 11_155_111,
  polygon: 137,
  base: 8453,
  anvil: 31_337,
} as const

export type Blockchain = keyof typeof chainIds

export const blockchains = Object.keys(chainIds) as [Blockchain, ...Blockchain[]]

export function isBlockchain(name: string): name is Blockchain {
  return Object.hasOwn(chainIds, name)
}
