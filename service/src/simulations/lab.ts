import { ApiError } from '../platform/api/errors/errors.ts'
import type { Config } from '../platform/base/config.ts'
import { LabChain } from './lab-chain.ts'
import { simulationErrors } from './simulation.errors.ts'

/** The chains that simulations may play with, by name. */
export type Lab = ReadonlyMap<string, LabChain>

export function labOf({ chains }: Pick<Config, 'chains'>): Lab {
  return new Map([...chains].map(([name, url]) => [name, new LabChain(name, url)]))
}

export function chainOf(lab: Lab, name: string): LabChain {
  const chain = lab.get(name)
  if (!chain)
    throw new ApiError(simulationErrors.simulation_not_possible, `This installation has no chain ${name}. See CHAINS.`)
  return chain
}
