import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../api/connection.ts'
import { refetchAll } from '../api/live-refetch.ts'
import { isUnreachable, Problem } from '../api/problem.ts'

export interface Submission {
  readonly submit: () => Promise<void>
  readonly isRunning: boolean
  /** True if the connection was lost. The change is retried with the same key once it is back. */
  readonly isWaiting: boolean
  readonly problem: Error | undefined
}

/** Maximum number of retries without a response. After that, the person decides. */
const repetitionsMax = 5

/**
 * Sends a change. All attempts use one idempotency key, so that a change whose response was lost happens only once.
 * While the component is mounted, an attempt without a response is retried once the connection is back.
 */
export function useSubmission<Result>(
  run: (idempotencyKey: string) => Promise<Result>,
  onDone: (result: Result) => void,
  { canRefetch = true }: { canRefetch?: boolean } = {},
): Submission {
  const client = useQueryClient()
  const connection = useConnection()
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [problem, setProblem] = useState<Error>()
  const [isRunning, setRunning] = useState(false)
  const repetitions = useRef(0)

  async function submit(): Promise<void> {
    setRunning(true)
    setProblem(undefined)
    try {
      const result = await run(key)
      setKey(crypto.randomUUID())
      onDone(result)
      if (canRefetch) await refetchAll(client)
    } catch (error) {
      setProblem(error instanceof Error ? error : new Problem(500, 'unknown', String(error)))
    } finally {
      setRunning(false)
    }
  }

  const isWaiting = !isRunning && isUnreachable(problem) && repetitions.current < repetitionsMax
  useEffect(() => {
    if (!isWaiting || connection !== 'ok') return
    repetitions.current += 1
    void submit()
    // oxlint-disable-next-line react/exhaustive-deps -- submit is new each time; the connection says when to repeat
  }, [connection, isWaiting])
  return { submit, isRunning, isWaiting, problem }
}
