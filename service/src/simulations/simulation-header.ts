import { scopes } from '../platform/api/declare/scopes.ts'

// What all simulations say of themselves. Any token of a development environment may play.
export const simulationTag = 'Simulations'
export const simulationScopes = scopes
