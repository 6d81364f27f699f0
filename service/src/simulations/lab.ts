import type { Config } from '../base/config.ts'
import { ApiError } from '../http/errors.ts'
import { LabChain } from './lab-chain.ts'

/** The chains that simulations may play with, by name. */
export type Lab = ReadonlyMap<string, LabChain>

export function labOf({ chains }: Pick<Config, 'chains'>): Lab {
  return new Map([...chains].map(([name, url]) => [name, new LabChain(name, url)]))
}

export function chainOf(lab: Lab, name: string): LabChain {
  const chain = lab.get(name)
  if (!chain) throw new ApiError('simulation_refused', `This installation has no chain ${name}. See CHAINS.`)
  return chain
}
