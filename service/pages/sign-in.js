import { addButton, call, element, run, say, usePasskey } from './api.js'

const parameters = new URLSearchParams(location.search)
const returnTo = parameters.get('return_to') ?? '/console'
// The provider asks for all factors again, even if it remembers the person.
const isStepUp = parameters.has('step_up')

void run(async () => {
  const { providers } = await call('GET', '/sign-in-methods')
  say('Choose how to sign in.')
  for (const provider of providers)
    addButton(element('methods'), `Continue with ${provider}`, async () => {
      const { url } = await call('POST', '/sign-in/provider', {
        provider,
        return_to: returnTo,
        ...(isStepUp ? { step_up: true } : {}),
      })
      location.assign(url)
    })
  addButton(
    element('methods'),
    'Sign in with a passkey',
    async () => {
      const { options } = await call('POST', '/sign-in/passkey/options')
      await call('POST', '/sign-in/passkey', { credential: await usePasskey(options) })
      // Only pages of ours: the address comes from the link.
      location.assign(returnTo.startsWith('/console') ? returnTo : '/console')
    },
    providers.length > 0 ? 'secondary' : '',
  )
})
