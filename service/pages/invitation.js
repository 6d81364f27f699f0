import { call, createPasskey, element, run, say } from './api.js'

// The secret is in the fragment, which browsers do not send. It is removed from the address and the history.
const invitation = location.hash.slice(1)
history.replaceState(null, '', location.pathname)

void run(async () => {
  if (invitation === '') throw new Error('Open the link in your invitation mail again.')
  const {
    kind,
    tenant_name: tenant,
    user_name: name,
    provider,
  } = await call('POST', '/invitations/open', { invitation })
  const isEmergency = kind === 'break_glass'
  const isPasskey = !isEmergency && provider === null
  say(`${name}, this link gives you access to ${tenant}.`)
  element('explanation').textContent = isEmergency
    ? 'This is an emergency sign-in. You cannot confirm anything for 24 hours. Everyone with the duty team was notified.'
    : isPasskey
      ? 'Create a passkey on this device. You use it to sign in and to confirm changes.'
      : `Sign in at ${provider}. Then create a passkey, which you use to confirm changes.`
  element('naming').hidden = !isPasskey
  element('accept').hidden = false
  element('accept').addEventListener('submit', (event) => {
    event.preventDefault()
    void run(() => (isEmergency ? signInInEmergency() : isPasskey ? acceptWithPasskey() : acceptAt(provider)))
  })
})

async function acceptAt(provider) {
  const { url } = await call('POST', '/sign-in/provider', { provider, invitation })
  location.assign(url)
}

async function acceptWithPasskey() {
  const { options } = await call('POST', '/invitations/passkey/options', { invitation })
  const credential = await createPasskey(options)
  await call('POST', '/invitations/accept', { invitation, name: element('name').value || 'My passkey', credential })
  location.assign('/console')
}

async function signInInEmergency() {
  await call('POST', '/invitations/emergency', { invitation })
  location.assign('/console')
}
