import { declareErrors } from '../platform/api/errors/declare-errors.ts'

export const simulationErrors = declareErrors({
  simulation_not_possible: {
    status: 409,
    cause: 'The current state does not allow the simulated event, or the chain does not support simulations.',
    remedy: 'See the message. npm run dev starts a chain that supports all simulations.',
  },
})
