import { scopes } from '../platform/api/declare/scopes.ts'

/** Members that the headers of all simulations share. Any access token of a development environment may call them. */
export const simulationHeader = { tag: 'Simulations', method: 'POST', scopes, isExtension: true } as const
