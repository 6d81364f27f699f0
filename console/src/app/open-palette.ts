let isWanted = false
let open = () => {
  isWanted = true
}

/** Opens the palette. It loads after the shell; if it is called for earlier, it opens once loaded. */
export function openPalette(): void {
  open()
}

export function registerPalette(run: () => void): void {
  open = run
  if (isWanted) run()
}

// Listens here and not in the palette, which would miss a key pressed before it is loaded.
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return
  event.preventDefault()
  openPalette()
})
