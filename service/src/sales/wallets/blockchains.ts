import type { Config } from '../../platform/base/config.ts'

/** EIP-155 chain ids. Owners of addresses on these chains can sign a challenge; nodes must have the same id. */
export const chainIds = {
  ethereum: 1,
  sepolia: 11_155_111,
  polygon: 137,
  base: 8453,
  anvil: 31_337,
} as const

export type Blockchain = keyof typeof chainIds

export const blockchains = Object.keys(chainIds) as [Blockchain, ...Blockchain[]]

/** Chains of wallet providers that are not EVM chains. The service mints on none of them. */
export const nativeChains = ['stellar', 'concordium'] as const

export function isBlockchain(name: string): name is Blockchain {
  return Object.hasOwn(chainIds, name)
}

export function chainIdOf(name: string): number | undefined {
  return isBlockchain(name) ? chainIds[name] : undefined
}

/** Returns one sentence for each wrong chain id in CHAINS. */
export function chainIdProblems({ chains, environment }: Pick<Config, 'chains' | 'environment'>): string[] {
  return [...chains].flatMap(([name, { chainId }]) => {
    const known = chainIdOf(name)
    if (known === undefined && chainId === undefined)
      return [`CHAINS is invalid: the chain id of ${name} is not known; write it as ${name}:<chain id>=http://….`]
    // In development, a local node may play any chain.
    if (known === undefined || chainId === undefined || chainId === known || environment === 'development') return []
    return [`CHAINS is invalid: ${name} has chain id ${known}, not ${chainId}.`]
  })
}
