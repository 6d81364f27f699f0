import { scopes } from '../platform/api/declare/scopes.ts'

// Header fields of all simulations. Any access token of a development environment may call them.
export const simulationTag = 'Simulations'
export const simulationScopes = scopes
