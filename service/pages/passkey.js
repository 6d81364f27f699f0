import {
  callSignedIn,
  callSteppedUp,
  createPasskey,
  element,
  forgetPasskeyReturn,
  passkeyReturn,
  run,
  say,
} from './api.js'

const returnTo = passkeyReturn()
if (returnTo) element('done').href = returnTo
element('done').addEventListener('click', forgetPasskeyReturn)

void run(show)
element('register').addEventListener('submit', (event) => {
  event.preventDefault()
  void run(async () => {
    const { options } = await callSteppedUp('POST', '/passkeys/options').catch(signInAgain)
    const credential = await createPasskey(options)
    await callSignedIn('POST', '/passkeys', { name: element('name').value || 'My passkey', credential })
    forgetPasskeyReturn()
    if (returnTo) location.assign(returnTo)
    else await show()
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

/** A provider that remembers the person must ask again who they are. */
function signInAgain(problem) {
  if (problem.code !== 'sign_in_again') throw problem
  location.assign(`/console/sign-in?step_up=true&return_to=${encodeURIComponent(location.pathname)}`)
  return new Promise(() => {})
}
