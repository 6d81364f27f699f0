import { ProblemCard } from '../parts/problem-card.tsx'

/** Shown instead of a screen that failed. */
export function ScreenProblem({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <div className="page">
      <ProblemCard problem={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    </div>
  )
}
