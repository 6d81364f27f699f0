// The one script of the shop. Without it the page asks again every 15 seconds.
const panel = document.querySelector('[data-stream]')

if (panel?.dataset.stream) {
  const stream = new EventSource(panel.dataset.stream)
  stream.addEventListener('message', ({ data }) => {
    const { headline, details, isOver } = JSON.parse(data)
    const line = panel.querySelector('.headline')
    // Only what has changed, so that a screen reader says each sentence once.
    if (line.textContent !== headline) line.textContent = headline
    panel.querySelector('[data-details]').innerHTML = details
    if (isOver) stream.close()
  })
}
