let isWanted = false
let open = () => {
  isWanted = true
}

/** The palette loads after the shell. If it is wanted before, it opens when it is there. */
export function openPalette(): void {
  open()
}

export function registerPalette(run: () => void): void {
  open = run
  if (isWanted) run()
}
