import { ApiError } from '../platform/api/errors/errors.ts'
import type { Config } from '../platform/base/config.ts'
import { simulationErrors } from './simulation.errors.ts'
import { TestChain } from './test-chain.ts'

/** The chains of this installation by name, for simulations. */
export type TestChains = ReadonlyMap<string, TestChain>

export function testChainsOf({ chains }: Pick<Config, 'chains'>): TestChains {
  return new Map([...chains].map(([name, { urls }]) => [name, new TestChain(name, urls[0] ?? '')]))
}

export function requireTestChain(chains: TestChains, name: string): TestChain {
  const chain = chains.get(name)
  if (!chain)
    throw new ApiError(simulationErrors.simulation_not_possible, `Chain ${name} is not configured. Add it to CHAINS.`)
  return chain
}
