import { callSignedIn, callSteppedUp, createPasskey, element, run, say } from './api.js'

void run(show)
element('register').addEventListener('submit', (event) => {
  event.preventDefault()
  void run(async () => {
    const { options } = await callSteppedUp('POST', '/passkeys/options')
    const credential = await createPasskey(options)
    await callSignedIn('POST', '/passkeys', { name: element('name').value || 'My passkey', credential })
    await show()
  })
})

async function show() {
  const { passkeys } = await callSignedIn('GET', '/me')
  say(
    passkeys.length === 0
      ? 'You have no passkey yet.'
      : `You have ${passkeys.length} ${passkeys.length === 1 ? 'passkey' : 'passkeys'}.`,
  )
  element('passkeys').replaceChildren(
    ...passkeys.map(({ name, created_at: createdAt }) => {
      const item = document.createElement('li')
      item.textContent = `${name}, since ${new Date(createdAt).toLocaleDateString()}`
      return item
    }),
  )
  element('register').hidden = false
}
