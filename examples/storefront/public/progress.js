// Without JavaScript the page reloads every 15 seconds instead.
const panel = document.querySelector('[data-stream]')

if (panel?.dataset.stream) {
  const stream = new EventSource(panel.dataset.stream)
  stream.addEventListener('message', ({ data }) => {
    const { headline, details, isOver } = JSON.parse(data)
    const line = panel.querySelector('.headline')
    // Updates the text only if it changed, so that a screen reader reads each sentence once.
    if (line.textContent !== headline) line.textContent = headline
    panel.querySelector('[data-details]').innerHTML = details
    if (isOver) stream.close()
  })
}
