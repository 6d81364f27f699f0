// Asks a browser wallet (EIP-1193) for the address and the signature. Without wallet or script, people type them.
const form = document.querySelector('form[data-wallet]')
const button = form?.querySelector('button[type="button"]')

if (window.ethereum && button) {
  button.hidden = false
  button.addEventListener('click', () => {
    // If the visitor closes the window of the wallet, the form is still there.
    fill().then(
      () => form.requestSubmit(),
      () => undefined,
    )
  })
}

async function fill() {
  const [address] = await window.ethereum.request({ method: 'eth_requestAccounts' })
  if (form.dataset.wallet === 'address') {
    form.elements.public_address.value = address
    return
  }
  const params = [hexOf(document.querySelector('#message').textContent), address]
  form.elements.signature.value = await window.ethereum.request({ method: 'personal_sign', params })
}

/** Wallets take the message as bytes. */
function hexOf(text) {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
