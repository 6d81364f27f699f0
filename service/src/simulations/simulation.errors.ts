import { declareErrors } from '../platform/api/errors/declare-errors.ts'

export const simulationErrors = declareErrors({
  simulation_not_possible: {
    status: 409,
    type: 'conflict_error',
    cause: 'What is simulated cannot happen now: the state does not allow it, or the chain is not one to play with.',
    remedy: 'Read the message: it says what is missing. npm run dev starts a chain that does all of it.',
  },
})
