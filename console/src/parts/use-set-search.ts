import { useNavigate } from '@tanstack/react-router'

type Change = Readonly<Record<string, string | undefined>>

/** Changes parameters of the address. Going back undoes it. */
export function useSetSearch(): (change: Change) => void {
  const navigate = useNavigate()
  return (change) => {
    void navigate({
      to: '.',
      search: (before: Change) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)),
    } as never)
  }
}
