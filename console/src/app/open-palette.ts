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

// Not by the palette itself: a key that is pressed before it is loaded would be lost.
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return
  event.preventDefault()
  openPalette()
})
