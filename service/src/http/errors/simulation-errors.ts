import type { ErrorEntry } from './error-entry.ts'

/** What only simulations answer, and only in development. */
export const simulationErrors = {
  simulation_refused: {
    status: 409,
    type: 'conflict_error',
    cause: 'What is simulated cannot happen now: the state does not allow it, or the chain is not one to play with.',
    remedy: 'Read the message: it says what is missing. npm run dev starts a chain that does all of it.',
  },
} as const satisfies Record<string, ErrorEntry>
