let open = () => {}

/** The palette loads after the shell; until then opening it does nothing. */
export function openPalette(): void {
  open()
}

export function registerPalette(run: () => void): void {
  open = run
}
