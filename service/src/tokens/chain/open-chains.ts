import type { Config } from '../../platform/base/config.ts'
import type { Logger } from '../../platform/base/log.ts'
import { chainIdOf } from '../../sales/wallets/blockchains.ts'
import { Chain } from './chain.ts'

/** Opens the configured chains, by name. The timeout applies to each call of a node. */
export function openChains(
  { chains }: Pick<Config, 'chains'>,
  log: Logger,
  timeoutMs?: number,
): ReadonlyMap<string, Chain> {
  return new Map(
    [...chains].map(([name, { urls, chainId }]) => [
      name,
      new Chain(name, urls, chainId ?? chainIdOf(name), log, timeoutMs),
    ]),
  )
}
