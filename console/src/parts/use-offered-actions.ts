import { useLayoutEffect, useSyncExternalStore } from 'react'

/** An action of the object on the screen that the palette also offers. */
export interface PaletteAction {
  readonly id: string
  readonly label: string
  readonly run: () => void
}

let offered: readonly PaletteAction[] = []
const listeners = new Set<() => void>()

function offer(actions: readonly PaletteAction[]): void {
  offered = actions
  for (const listener of listeners) listener()
}

/** Offers actions in the palette while the component is mounted. */
export function useOfferedActions(actions: readonly PaletteAction[]): void {
  useLayoutEffect(() => {
    if (actions.length === 0) return
    offer(actions)
    return () => offer([])
  }, [actions])
}

export function usePaletteActions(): readonly PaletteAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offered,
  )
}
