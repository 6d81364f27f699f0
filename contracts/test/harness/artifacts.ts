import type { Abi, Hex } from 'viem'
import mintDeskJson from '../../artifacts/MintDesk.json' with { type: 'json' }
import permissionedTokenJson from '../../artifacts/PermissionedToken.json' with { type: 'json' }
import tokenFactoryJson from '../../artifacts/TokenFactory.json' with { type: 'json' }

export interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

export const mintDesk = mintDeskJson as Artifact
export const permissionedToken = permissionedTokenJson as Artifact
export const tokenFactory = tokenFactoryJson as Artifact

export const everyAbi: Abi = [...mintDesk.abi, ...permissionedToken.abi, ...tokenFactory.abi]
